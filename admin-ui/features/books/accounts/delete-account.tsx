import { Confirm } from '../../../components/forms/confirm.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { accountName } from './account-words.ts'
import { deleteAccount, type NamedAccount } from './accounts.api.ts'
import { say, tell } from './words.ts'

type DeleteAccountProps = {
  /** The account that is deleted; null while nobody asks. */
  account: NamedAccount | null
  onClose: () => void
  /** Leaves the page of the account, which would read it again. */
  onGone?: () => Promise<void>
}

/** Asks before an account is deleted. */
export const DeleteAccount = ({ account, onClose, onGone }: DeleteAccountProps) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    if (!account) return
    await deleteAccount(account)
    notify(say('accounts.delete.done'))
    await onGone?.()
    await refresh('accounts')
  }
  return (
    <Confirm
      title={say('accounts.delete.title')}
      confirmLabel={say('accounts.delete.submit')}
      opened={account !== null}
      onClose={onClose}
      onReload={() => void refresh('accounts')}
      action={remove}
    >
      {tell('accounts.delete.about', {
        removing: <b>{account && accountName(account)}</b>,
        traderName: <b>{account && shownName(account.traderName)}</b>,
      })}
    </Confirm>
  )
}
