import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { UserRow } from '../users/users.table.ts'

/** What other modules do when a colleague leaves; `src/composition.ts` provides it. */
export type StaffHooks = {
  /** Locks what the colleague could still use indirectly, and mails the owners what they leave behind. */
  afterLeaving(tx: Tx, ctx: Ctx, user: UserRow, how: 'deleted' | 'disabled'): void
}
