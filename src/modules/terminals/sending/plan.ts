import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import type { Outcome } from '../contract/terminal.ts'
import type { InstructionRow } from '../instructions/instructions.table.ts'
import type { Session } from '../sessions/session.ts'

/** What a look at the terminal found: the number of what was done, or something else under our reference. */
export type Found = { is: 'none' } | { is: 'done'; number: string } | { is: 'differs' }

/** How an instruction of one kind is carried out. The functions with a session speak to the terminal, others write. */
export type Plan = {
  /** Whether it is sent at most once, ever: money, and logins that are opened. What only sets a value is sent again. */
  isOnce: boolean
  look(session: Session, row: InstructionRow): Promise<Found>
  /** Returns why it must not be sent as things are at the terminal now; null if it may be. */
  check(session: Session, row: InstructionRow): Promise<string | null>
  /** Returns whether it has to wait still, by what is known here in the write of the mark. */
  mustWait?(tx: Tx, row: InstructionRow): boolean
  /** Returns why it must not be sent as things are in our books, in the write of the mark; null if it may be. */
  refuseNow?(tx: Tx, row: InstructionRow): string | null
  /** Makes what is sent ready, in the write of the mark. */
  prepare?(ctx: Ctx, row: InstructionRow): Partial<InstructionRow>
  send(ctx: Ctx, session: Session, row: InstructionRow): Promise<Outcome>
  /** Does what follows in our books, in the write that ends the instruction. */
  onDone(tx: Tx, ctx: Ctx, connection: ConnectionRow, row: InstructionRow): void
  /** Does what follows in other writes. */
  afterDone?(ctx: Ctx, row: InstructionRow): Promise<void>
  onRefused(tx: Tx, row: InstructionRow): void
  /** Tells people that nobody knows whether it was done. */
  onUnresolved(tx: Tx, row: InstructionRow): void
}
