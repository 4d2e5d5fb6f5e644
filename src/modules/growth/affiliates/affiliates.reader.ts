import type { Ctx } from '../../../platform/access/ctx.ts'
import { findAffiliateId } from '../../../platform/access/principal.ts'

/** Returns whether the caller is an introducing broker, who sees initials of clients, and no colleagues. */
export const isMasked = ({ principal }: Pick<Ctx, 'principal'>): boolean => principal.kind === 'trader'

/** Returns whether the caller sees no full names of clients: a broker, or a key that may not read clients. */
export const seesNobody = (ctx: Pick<Ctx, 'principal' | 'db'>): boolean => isMasked(ctx) || !ctx.db.scope.readsClients

/** Returns whether a caller who is no affiliate asks for their own rows (`self=1`), so that the page is empty. */
export const hasNoOwn = ({ principal }: Pick<Ctx, 'principal'>, self: string | undefined): boolean =>
  self === '1' && findAffiliateId(principal) === null

export const EMPTY_PAGE = { data: [], nextCursor: null }
