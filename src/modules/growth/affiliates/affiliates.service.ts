import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireScope } from '../../../platform/access/principal.ts'
import { DAY } from '../../../platform/clock.ts'
import { mayBecome } from '../../../platform/db/states.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid, wrongState } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { personBehind, refuseGivenPassword, requireDecider } from '../../firm/independence/independence.service.ts'
import { affiliateErrors } from './affiliates.errors.ts'
import { type Affiliate, type AffiliateIn, type AffiliatePatch, toAffiliate } from './affiliates.model.ts'
import { affiliateStates } from './affiliates.states.ts'
import { type AffiliateRow, affiliateCodes, affiliates, affiliateTerms } from './affiliates.table.ts'
import { move, place } from './affiliates.tree-moves.ts'
import { commissionPlans } from './plans.table.ts'

/** A code that an affiliate gave up is free for others after this time. RULES “Affiliates”. */
const REST_OF_CODE = 90 * DAY

const staffView = { own: false, masked: false }
const shown = (tx: Tx, row: AffiliateRow): Affiliate => {
  const bearer = tx.scope.readsClients ? tx.find(traders, { id: row.traderId }, { withDeleted: true }) : undefined
  return toAffiliate(row, bearer, staffView)
}

/** Takes a code for an affiliate; 409 if another one has it, or gave it up within 90 days. */
function takeCode(tx: Tx, affiliateId: string, code: string): void {
  const key = code.toLowerCase()
  const held = tx.find(affiliateCodes, { code: key })
  if (!held) return void tx.insert(affiliateCodes, { code: key, affiliateId })
  const rests = held.freedAt === null || tx.now - held.freedAt < REST_OF_CODE
  if (held.affiliateId !== affiliateId && rests)
    throw affiliateErrors.code_taken({
      errors: [{ path: 'code', code: 'duplicate', message: say('affiliates.field.code_taken') }],
    })
  tx.update(affiliateCodes, held.id, { affiliateId, freedAt: null })
}

function freeCode(tx: Tx, affiliateId: string, code: string): void {
  const held = tx.find(affiliateCodes, { code: code.toLowerCase(), affiliateId })
  if (held) tx.update(affiliateCodes, held.id, { freedAt: tx.now })
}

function checkParent(tx: Tx, parentId: string | null | undefined): void {
  if (!parentId) return
  const parent = tx.find(affiliates, { id: parentId })
  if (!parent || parent.status === 'closed')
    throw invalid('parentId', 'unknown', say('affiliates.field.affiliate_unknown'))
}

const noteTerms = (tx: Tx, { id, parentId, planId, status }: AffiliateRow, setBy: string | null): void =>
  void tx.insert(affiliateTerms, { affiliateId: id, parentId, planId, status, validFrom: tx.now, setBy })

/** Makes a client an affiliate, pending until a manager activates it. RULES “Affiliates”. */
export function createAffiliate(ctx: Ctx, input: Static<typeof AffiliateIn>): Promise<Affiliate> {
  const { traderId, code, parentId = null } = input
  return ctx.write('affiliate.create', (tx) => {
    refuseGivenPassword(tx, ctx)
    if (!tx.find(traders, { id: traderId }))
      throw invalid('traderId', 'unknown', say('affiliates.field.client_unknown'))
    const other = tx.list(affiliates, { traderId }).find(({ status }) => status !== 'closed')
    if (other)
      throw affiliateErrors.is_affiliate({
        errors: [
          { path: 'traderId', code: 'duplicate', message: say('affiliates.field.has_code', { code: other.code }) },
        ],
      })
    checkParent(tx, parentId)
    const row = tx.insert(affiliates, { traderId, code, parentId, createdBy: personBehind(ctx) })
    takeCode(tx, row.id, code)
    place(tx, row.id, parentId)
    noteTerms(tx, row, row.createdBy)
    return shown(tx, row)
  })
}

/** Changes code, parent, plan or status from now on; earlier earnings stay. */
export function updateAffiliate(
  ctx: Ctx,
  id: string,
  patch: Static<typeof AffiliatePatch>,
  expect: number | undefined,
): Promise<Affiliate> {
  return ctx.write('affiliate.update', (tx) => {
    refuseGivenPassword(tx, ctx)
    const before = tx.get(affiliates, id)
    const { code = before.code, parentId = before.parentId, planId = before.planId, status = before.status } = patch
    if (before.status === 'closed') throw affiliateErrors.closed()
    if (status !== before.status && !mayBecome(affiliateStates, before.status, status))
      throw wrongState('affiliate', before.status)
    if (planId !== before.planId && planId !== null && !tx.find(commissionPlans, { id: planId }))
      throw invalid('planId', 'unknown', say('affiliates.field.plan_unknown'))
    const changes = {
      code,
      parentId,
      planId,
      status,
      ...(planId === before.planId ? {} : { planBy: personBehind(ctx), planAt: tx.now }),
    }
    if (parentId !== before.parentId) checkParent(tx, parentId)
    const row = tx.update(affiliates, id, changes, { expect })
    if (row.version === before.version) return shown(tx, row)
    if (code !== before.code) {
      freeCode(tx, id, before.code)
      takeCode(tx, id, code)
    }
    if (parentId !== before.parentId) move(tx, id, parentId)
    if (status === 'closed') freeCode(tx, id, code)
    const isMoved = parentId !== before.parentId || planId !== before.planId
    if (!isMoved && status === before.status) return shown(tx, row)
    requireScope(ctx, 'affiliate-decisions:write')
    // everyone of the role may suspend an affiliate
    if (isMoved || status === 'active') requireDecider(tx, ctx, before.traderId)
    noteTerms(tx, row, isMoved ? personBehind(ctx) : null)
    return shown(tx, row)
  })
}
