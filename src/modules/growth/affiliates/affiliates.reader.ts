import type { Ctx } from '../../../platform/access/ctx.ts'
import { affiliateIdOf } from '../../../platform/access/principal.ts'

/** Whether the caller is an introducing broker, who sees clients under initials and colleagues not at all. */
export const isMasked = ({ principal }: Pick<Ctx, 'principal'>): boolean => principal.kind === 'trader'

/** Whether somebody sees no client as they are: an introducing broker, and a key that may not read clients. */
export const seesNobody = (ctx: Pick<Ctx, 'principal' | 'db'>): boolean => isMasked(ctx) || !ctx.db.scope.readsClients

/** Whether somebody who is no affiliate asks for their own (`self=1`): they get an empty page. */
export const hasNoOwn = ({ principal }: Pick<Ctx, 'principal'>, self: string | undefined): boolean =>
  self === '1' && affiliateIdOf(principal) === null

export const EMPTY_PAGE = { data: [], nextCursor: null }
