import { foldEmail } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import type { AccountHooks } from '../../books/accounts/accounts.hooks.ts'
import { namesAgree } from '../../clients/sanctions/names-agree.ts'
import { type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import type { Person } from '../contract/terminal.ts'
import { findConnection, findListed } from '../sending/money.hooks.ts'
import { sendingErrors } from '../sending/sending.errors.ts'
import { askTerminal } from '../sessions/ask-terminal.ts'

/** Returns whether a terminal names somebody else for a login than the client; what is not shown says nothing. */
function isUnlike(person: Person, { firstName, lastName, email }: TraderRow): boolean {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  if (person.name !== '' && name !== '' && !namesAgree(person.name, name)) return true
  return person.email !== '' && email !== null && foldEmail(person.email) !== foldEmail(email)
}

const noteRequired = () =>
  sendingErrors.note_required({
    errors: [{ path: 'note', code: 'note_required', message: say('terminals.problem.note_required') }],
  })

const weighLink: AccountHooks['terminals']['weighLink'] = async (ctx, place, { traderId, note }) => {
  const first = findConnection(ctx.unowned, place)
  if (first === undefined) return () => null
  const number = place.accountNumber ?? ''
  const person = findListed(ctx.unowned, first.id, place)
    ? await askTerminal(ctx, first.id, async (terminal) => (await terminal.people([number]))[0])
    : undefined
  return (tx) => {
    const connection = findConnection(tx, place)
    if (connection === undefined) return null
    const login = findListed(tx, connection.id, place)
    if (login === undefined) throw sendingErrors.login_unknown()
    const trader = tx.find(traders, { id: traderId })
    if (person && trader && note === undefined && isUnlike(person, trader)) throw noteRequired()
    const { currency, leverage, accountType } = login
    return { server: connection.server, currency, leverage, isDemo: accountType === 'demo' }
  }
}

/** What accounts ask of trading servers that Brokerbase reads itself. RULES “Accounts on a terminal”. */
export const linkHooks: AccountHooks['terminals'] = {
  decides: (db, account) => {
    const connection = findConnection(db, account)
    return connection !== undefined && findListed(db, connection.id, account) !== undefined
  },
  refusal: () => sendingErrors.terminal_account(),
  weighLink,
}
