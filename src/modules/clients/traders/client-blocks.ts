import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, requireScope } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type SentenceKey, say } from '../../../words/say.ts'
import { liftBlock, noteBlock } from '../../firm/independence/blocks.ts'
import { noteClientAct, personBehind, requireDecider } from '../../firm/independence/independence.service.ts'
import type { ClientAct } from '../../firm/independence/independence.table.ts'
import { traderErrors } from './traders.errors.ts'
import { RISK_LEVEL, type TraderRow } from './traders.table.ts'

type Changes = Partial<Pick<TraderRow, 'status' | 'legalHold' | 'riskLevel'>>

/** Throws the 403 that names the field if the caller is below manager. */
export function requireManager(ctx: Ctx, path: string, why: SentenceKey): void {
  const role = findRole(ctx.principal)
  if (role !== null && atLeast(role, 'manager')) return
  throw traderErrors.needs_manager({ errors: [{ path, code: 'needs_manager', message: say(why) }] })
}

const lowersRisk = ({ riskLevel: before }: Pick<TraderRow, 'riskLevel'>, after: TraderRow['riskLevel']): boolean =>
  RISK_LEVEL.indexOf(after) < RISK_LEVEL.indexOf(before)

/**
 * Sets or lifts a client's blocks: everyone of the role may set one, and another person lifts it. RULES “Lifting a
 * block”.
 */
export function guardClient(tx: Tx, ctx: Ctx, before: TraderRow, { status, legalHold, riskLevel }: Changes): void {
  const { id } = before
  if (riskLevel !== undefined && lowersRisk(before, riskLevel)) {
    requireScope(ctx, 'holds:write')
    requireManager(ctx, 'riskLevel', 'client.field.risk_level_manager')
    requireDecider(tx, ctx, id)
  }
  if (legalHold !== undefined && legalHold !== before.legalHold) {
    requireScope(ctx, 'holds:write')
    if (legalHold) noteBlock(tx, ctx, id, 'hold')
    else liftBlock(tx, ctx, id, 'hold')
  }
  if (status !== undefined && status !== before.status) {
    requireScope(ctx, 'holds:write')
    if (status !== 'active') noteBlock(tx, ctx, id, 'stop')
    else liftBlock(tx, ctx, id, 'stop')
  }
}

type Identity = Pick<TraderRow, 'phone' | 'firstName' | 'lastName' | 'country' | 'dateOfBirth'>
/** The fields of a client's identity and contact, each with the act that changing it is noted as. */
const ACTS = {
  phone: 'changed_phone',
  firstName: 'changed_name',
  lastName: 'changed_name',
  country: 'changed_country',
  dateOfBirth: 'changed_birth_date',
} as const satisfies Record<keyof Identity, ClientAct>
const FIELDS = ['phone', 'firstName', 'lastName', 'country', 'dateOfBirth'] as const

/** Returns the changed fields that documents prove; the approved documents then show another person. */
export function identityChanges(before: TraderRow, changes: Partial<Identity>): (typeof FIELDS)[number][] {
  return FIELDS.filter((key) => key !== 'phone' && changes[key] !== undefined && changes[key] !== before[key])
}

/** Notes who changed a client's identity or contact, for later decisions about their money. */
export function noteIdentity(tx: Tx, ctx: Ctx, before: TraderRow, changes: Partial<Identity>): void {
  const changed = FIELDS.filter((key) => changes[key] !== undefined && changes[key] !== before[key])
  for (const act of new Set(changed.map((key) => ACTS[key]))) noteClientAct(tx, personBehind(ctx), before.id, act)
}
