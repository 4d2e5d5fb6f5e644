import { useQuery } from '@tanstack/react-query'
import { AccountLink } from '../../books/accounts/account-link.tsx'
import { fetchLogins } from './records.api.ts'

/** Shows the number of a login, as a link to the account that it is linked to. */
export const LoginLink = ({ connectionId, login }: { connectionId: string; login: string }) => {
  const { data } = useQuery({
    queryKey: ['platforms', 'login', connectionId, login],
    queryFn: () => fetchLogins({ connectionId, q: login, limit: 1 }),
  })
  const accountId = data?.data[0]?.accountId
  return accountId ? <AccountLink id={accountId}>{login}</AccountLink> : login
}
