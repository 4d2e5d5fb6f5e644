import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { UserRow } from '../users/users.table.ts'

/** What areas above hear when a colleague goes; `src/composition.ts` hands it in. */
export type StaffHooks = {
  /** Locks what the colleague could still use through others, and mails the owners what they leave behind. */
  afterLeaving(tx: Tx, ctx: Ctx, user: UserRow, how: 'deleted' | 'disabled'): void
}
