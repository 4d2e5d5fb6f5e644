import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineErrors, invalid } from '../../../platform/problem.ts'
import { fitsWildcard } from '../../../platform/wildcard.ts'
import { say } from '../../../words/say.ts'
import { type ConnectionRow, terminalConnections } from '../connections/connections.table.ts'
import { explainFault } from '../connections/fault-words.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Person } from '../contract/terminal.ts'
import { LINKED } from '../logins/logins.model.ts'
import { type LoginRow, terminalLogins } from '../logins/logins.table.ts'
import { getLiveSessions } from '../sessions/live-sessions.ts'

export const ownerErrors = defineErrors('terminals', () => ({
  unconfirmed: [409, say('terminals.problem.unconfirmed')],
  not_connected: [409, say('terminals.problem.not_connected')],
  no_answer: [503, say('terminals.problem.no_answer')],
  all_linked: [409, say('terminals.problem.all_linked')],
}))

/** A terminal is asked about this many logins at once. */
const PIECE = 1000

/** A login that has no account here. */
type Unlinked = Pick<LoginRow, 'login' | 'groupName' | 'accountType' | 'currency' | 'leverage'>
/** A login that has no account here, and whose it is as far as the terminal shows that. */
export type Owned = Unlinked & Omit<Person, 'login'>

const OF_CONNECTION = sql`${terminalLogins.tenantId} = ?1 AND ${terminalLogins.connectionId} = ?2`
const GROUPS = statement(sql`SELECT DISTINCT ${terminalLogins.groupName} AS name FROM ${terminalLogins}
  WHERE ${OF_CONNECTION}`)
const UNLINKED = statement(
  sql`SELECT ${listed({
    login: terminalLogins.login,
    groupName: terminalLogins.groupName,
    accountType: terminalLogins.accountType,
    currency: terminalLogins.currency,
    leverage: terminalLogins.leverage,
  })} FROM ${terminalLogins} WHERE ${OF_CONNECTION}
    AND ${terminalLogins.state} = 'there' AND NOT EXISTS (${LINKED})
  ORDER BY length(${terminalLogins.login}), ${terminalLogins.login}`,
)

/** Returns a confirmed connection; 409 for another one, since people come in by the word of two. */
export function getConfirmed(ctx: Ctx, id: string): ConnectionRow {
  const row = ctx.db.get(terminalConnections, id)
  if (row.confirmedAt === null) throw ownerErrors.unconfirmed()
  return row
}

/**
 * Returns the logins of a connection that have no account here, of groups that these names or masks fit, or of all. 422
 * for one that fits no group.
 */
export function listUnlinked({ db }: Pick<Ctx, 'db'>, { id }: ConnectionRow, masks?: readonly string[]): Unlinked[] {
  const logins = db.query<Unlinked>(UNLINKED, [id])
  if (masks === undefined) return logins
  const groups = db.query<{ name: string }>(GROUPS, [id]).map(({ name }) => name)
  for (const [index, mask] of masks.entries())
    if (!groups.some((name) => fitsWildcard(mask, name)))
      throw invalid(`groups.${index}`, 'unknown', say('terminals.field.group_unknown'))
  const asked = new Set(groups.filter((name) => masks.some((mask) => fitsWildcard(mask, name))))
  return logins.filter(({ groupName }) => asked.has(groupName))
}

/**
 * Asks a terminal now whose logins these are; what it does not show is empty. Nothing of it is stored. 409 while the
 * terminal is not read, 503 if it does not answer.
 */
export async function askOwners(ctx: Ctx, { id }: ConnectionRow, logins: readonly Unlinked[]): Promise<Owned[]> {
  const terminal = getLiveSessions(ctx).get(id)
  if (terminal === undefined) throw ownerErrors.not_connected()
  const people = new Map<string, Person>()
  try {
    for (let from = 0; from < logins.length; from += PIECE) {
      const piece = logins.slice(from, from + PIECE).map(({ login }) => login)
      for (const person of await terminal.people(piece)) people.set(person.login, person)
    }
  } catch (error) {
    if (!(error instanceof TerminalFault)) throw error
    throw ownerErrors.no_answer({ detail: explainFault(error.code, error.detail) })
  }
  return logins.map((row) => {
    const { name = '', email = '', phone = '', country = '' } = people.get(row.login) ?? {}
    return { ...row, name: name.trim(), email: email.trim(), phone: phone.trim(), country: country.trim() }
  })
}
