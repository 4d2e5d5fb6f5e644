import type { Ctx } from '../../platform/access/ctx.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { noteClientAct, personBehind } from '../independence/independence.service.ts'
import { users } from '../users/users.table.ts'

/** An address as its mailbox is found: case, dots and what follows a plus do not make another one. */
function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  return `${(local.split('+')[0] ?? '').replaceAll('.', '')}@${domain}`
}

/** Whether a staff account of this firm has or had this mailbox. */
function isStaffMailbox(tx: Tx, address: string): boolean {
  const mailbox = mailboxOf(address)
  return tx.unowned.list(users, {}, { withDeleted: true }).some(({ email }) => mailboxOf(email) === mailbox)
}

/**
 * Notes who chose the address that a client's links go to: whoever entered one of a staff
 * account, and whoever changed one, could sign in as the client. rules.md “Independence”.
 */
export function noteAddress(tx: Tx, ctx: Ctx, traderId: string, address: string | null, changed: boolean): void {
  const person = personBehind(ctx)
  if (person === null || address === null) return
  if (changed) noteClientAct(tx, person, traderId, 'changed_address')
  else if (isStaffMailbox(tx, address)) noteClientAct(tx, person, traderId, 'staff_address')
}
