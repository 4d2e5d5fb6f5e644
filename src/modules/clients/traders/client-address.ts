import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { noteClientAct, personBehind } from '../../firm/independence/independence.service.ts'
import { users } from '../../firm/users/users.table.ts'
import type { TraderRow } from './traders.table.ts'

/** Returns the mailbox of an address: case, dots and whatever follows a plus do not make another mailbox. */
export function toMailbox(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  return `${(local.split('+')[0] ?? '').replaceAll('.', '')}@${domain}`
}

const AT_DOMAIN = statement(
  sql`SELECT ${listed({ id: users.id, email: users.email })} FROM ${users}
  WHERE ${users.tenantId} = ?1 AND instr(lower(${users.email}), ?2) > 0`,
)
/** Returns the staff accounts of this firm that have, or had, this mailbox. */
function listHolders(tx: Tx, address: string): string[] {
  const mailbox = toMailbox(address)
  // this runs for every new client; the search by domain leaves few rows to compare
  const staff = tx.unowned.query<{ id: string; email: string }>(AT_DOMAIN, [mailbox.slice(mailbox.indexOf('@'))])
  return staff.filter(({ email }) => toMailbox(email) === mailbox).map(({ id }) => id)
}

/**
 * Notes who could sign in as the client through the address: whoever changes it, and if it is of a staff account,
 * whoever entered it (on the client or the former lead) and the staff who read that mailbox. RULES “Independence”.
 */
export function noteAddress(tx: Tx, ctx: Ctx, { id, email, emailBy }: TraderRow, changed: boolean): void {
  if (email === null) return
  const person = personBehind(ctx)
  if (changed) noteClientAct(tx, person, id, 'changed_address')
  const holders = listHolders(tx, email)
  if (holders.length === 0) return
  for (const userId of new Set([person, emailBy, ...holders])) noteClientAct(tx, userId, id, 'staff_address')
}
