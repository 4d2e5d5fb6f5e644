import { Link } from '@tanstack/react-router'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { AccountLink } from '../../books/accounts/account-link.tsx'
import { LOGIN_TYPES, LoginState } from './login-words.tsx'
import type { Login } from './records.api.ts'
import { say } from './words.ts'

/** Shows one login as the server said it last, with the ways to its account and its deals. */
export const LoginDrawer = ({ login: row, onClose }: { login: Login; onClose: () => void }) => {
  const { login, currency, accountId, connectionId } = row
  const money = (amount: string | null) => amount && <Money amount={amount} currency={currency} />
  return (
    <RecordDrawer opened onClose={onClose} title={say('terminals.login.title', { login })}>
      <Facts
        items={[
          [say('common.state'), <LoginState key="state" state={row.state} />],
          [say('terminals.login.since'), <When key="since" at={row.stateSince} />],
          [
            say('common.account'),
            accountId && (
              <AccountLink key="account" id={accountId}>
                {say('terminals.login.to_account')}
              </AccountLink>
            ),
          ],
          [
            say('terminals.page.tab.deals'),
            accountId && (
              <Link
                key="deals"
                to="/platforms/$id"
                params={{ id: connectionId }}
                search={{ tab: 'deals', accountId }}
                className="text-link"
              >
                {say('terminals.login.to_deals')}
              </Link>
            ),
          ],
          [say('terminals.login.group'), row.group],
          [say('terminals.login.type'), LOGIN_TYPES[row.accountType]],
          [say('terminals.login.balance'), money(row.balance)],
          [say('terminals.login.credit'), money(row.credit)],
          [say('terminals.login.equity'), money(row.equity)],
          [say('terminals.login.margin'), money(row.marginFree)],
          [say('terminals.login.leverage'), say('terminals.login.leverage_value', { leverage: row.leverage })],
          [say('terminals.login.trade'), say(row.mayTrade ? 'parts.value.true' : 'parts.value.false')],
          [say('terminals.login.sign_in'), say(row.maySignIn ? 'parts.value.true' : 'parts.value.false')],
          [say('terminals.login.registered'), <When key="registered" at={row.registeredAt} as="date" />],
          [say('terminals.login.read'), <When key="read" at={row.readAt} as="second" />],
        ]}
      />
    </RecordDrawer>
  )
}
