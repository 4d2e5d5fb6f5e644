import type { Ctx } from '../../../platform/access/ctx.ts'

/** What the statement of a wallet needs from the modules that move money. */
export type WalletHooks = {
  /** Returns, by id, the references of deposits, withdrawals and transfers, as far as a reader may see them. */
  findReferences: (ctx: Pick<Ctx, 'db' | 'principal'>, ids: readonly string[]) => ReadonlyMap<string, string | null>
}
