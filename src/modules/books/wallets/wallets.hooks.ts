import type { Ctx } from '../../../platform/access/ctx.ts'

/** What the statement of a wallet asks of the modules that move money. */
export type WalletHooks = {
  /** Returns the references by which people know deposits, withdrawals and transfers, by their ids, for a reader. */
  findReferences: (ctx: Pick<Ctx, 'db' | 'principal'>, ids: readonly string[]) => ReadonlyMap<string, string | null>
}
