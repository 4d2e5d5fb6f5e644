import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { mayBecome } from '../../../platform/db/states.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineErrors, invalid, notFound, Problem, wrongState } from '../../../platform/problem.ts'
import { boundedMetadata } from '../../../platform/wire/fields.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { RESTORE_DAYS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { knownCountry, toE164 } from '../../clients/traders/contact.ts'
import { traderByAddress } from '../../clients/traders/merged.queries.ts'
import { addTrader } from '../../clients/traders/traders.service.ts'
import { noteClientAct, personBehind } from '../../firm/independence/independence.service.ts'
import { users } from '../../firm/users/users.table.ts'
import { findReferral, heldReferral, referrals } from '../affiliates/attribution.ts'
import {
  type BulkAssignIn,
  type BulkAssignOut,
  type ConversionOut,
  type Lead,
  type LeadIn,
  type LeadPatch,
  toLead,
} from './leads.model.ts'
import { leadStates } from './leads.states.ts'
import { type LeadRow, leads } from './leads.table.ts'

const leadErrors = defineErrors('leads', () => ({
  no_contact: [422, say('leads.error.no_contact')],
  no_email: [409, say('leads.error.no_email')],
  not_deleted: [409, say('leads.error.not_deleted')],
  restore_late: [409, say('leads.error.restore_late', { days: RESTORE_DAYS })],
  not_convertible: [409, say('leads.error.not_convertible')],
}))

type Input = Omit<Static<typeof LeadIn>, 'source' | 'campaign' | 'leadGenId' | 'affiliateCode' | 'visitorId'>

/** Normalises e-mail, phone and country; absent fields stay absent. */
function normalise({ email, phone, country, metadata, ...rest }: Input): Partial<LeadRow> {
  const changes: Partial<LeadRow> = { ...rest }
  if (email !== undefined) changes.email = email === null ? null : foldEmail(email)
  if (country !== undefined) changes.country = country === null ? null : knownCountry(country)
  if (phone !== undefined) changes.phone = phone === null ? null : toE164(phone, country)
  if (metadata !== undefined) changes.metadata = boundedMetadata('metadata', metadata)
  return changes
}

function checkAssignee(tx: Tx, assignedTo: string | null | undefined): void {
  if (assignedTo && !tx.find(users, { id: assignedTo }))
    throw invalid('assignedTo', 'unknown', say('problems.field.user_unknown'))
}

/** Finds a lead that is the same: by lead-generation id, then e-mail, then phone. RULES “Leads”. */
function findTwin(
  tx: Tx,
  lead: Pick<Partial<LeadRow>, 'leadGenId' | 'email' | 'phone'>,
): { row: LeadRow; by: 'leadGenId' | 'email' | 'phone' } | undefined {
  for (const by of ['leadGenId', 'email', 'phone'] as const) {
    const value = lead[by]
    const row = value ? tx.find(leads, { [by]: value }, { withDeleted: by === 'leadGenId' }) : undefined
    if (row) return { row, by }
  }
  return undefined
}

/** Captures a lead inside a transaction, or finds the one that exists; forms, campaigns and imports use it. */
export function captureLead(
  tx: Tx,
  ctx: Ctx,
  input: Static<typeof LeadIn>,
): { row: LeadRow; twinBy: 'leadGenId' | 'email' | 'phone' | null } {
  const { source, campaign, leadGenId, affiliateCode, visitorId, ...rest } = input
  const values = {
    ...normalise(rest),
    source: source ?? 'manual',
    campaign: campaign ?? null,
    leadGenId: leadGenId ?? null,
    emailBy: personBehind(ctx),
  }
  if (!values.email && !values.phone)
    throw leadErrors.no_contact({
      errors: [{ path: 'email', code: 'required', message: say('leads.field.no_contact') }],
    })
  checkAssignee(tx, values.assignedTo)
  const twin = findTwin(tx, values)
  if (twin) return { row: twin.row, twinBy: twin.by }
  const { email = null, phone = null } = values
  const said = findReferral(tx, { affiliateCode, visitorId })
  const referral = heldReferral(tx, said, { id: null, email, phone })
  const affiliateVia = referral && (referral.via === 'code' ? 'code' : 'click')
  const row = tx.insert(leads, { ...values, affiliateId: referral?.affiliateId ?? null, affiliateVia })
  tx.emit('lead.created', { leadId: row.id, status: row.status, source: row.source })
  return { row, twinBy: null }
}

const taken = (by: string): Problem =>
  new Problem(409, 'duplicate', say('leads.error.duplicate'), [
    { path: by, code: 'duplicate', message: say('leads.field.duplicate') },
  ])

/** Creates a lead; 409 names the field by which the lead exists already. */
export function createLead(ctx: Ctx, input: Static<typeof LeadIn>): Promise<Lead> {
  return ctx.write('lead.create', (tx) => {
    const { row, twinBy } = captureLead(tx, ctx, input)
    if (twinBy) throw taken(twinBy)
    return toLead(row)
  })
}

/** Returns whether this person entered the lead's first address. */
const isFirst = ({ email, emailBy }: LeadRow, person: string | null): boolean => email === null && emailBy === person

/** Changes fields, status or assignee. A converted lead keeps its status; the source never changes. */
export function updateLead(
  ctx: Ctx,
  id: string,
  patch: Static<typeof LeadPatch>,
  expect: number | undefined,
): Promise<Lead> {
  const { status, ...rest } = patch
  return ctx.write('lead.update', (tx) => {
    const before = tx.get(leads, id)
    checkAssignee(tx, patch.assignedTo)
    if (status !== undefined && status !== before.status && !mayBecome(leadStates, before.status, status))
      throw wrongState('lead', before.status)
    const normal = normalise(rest)
    const changes = {
      ...normal,
      ...(normal.email !== undefined && normal.email !== before.email
        ? { emailBy: personBehind(ctx), emailChanged: before.emailChanged || !isFirst(before, personBehind(ctx)) }
        : {}),
      ...(status === undefined ? {} : { status }),
    }
    const email = changes.email === undefined ? before.email : changes.email
    const phone = changes.phone === undefined ? before.phone : changes.phone
    if (!email && !phone)
      throw leadErrors.no_contact({
        errors: [{ path: 'email', code: 'required', message: say('leads.field.no_contact') }],
      })
    // only changed contacts are compared, since another lead may already share an unchanged one
    const moved = {
      ...(email !== before.email && { email }),
      ...(phone !== before.phone && { phone }),
    }
    const twin = findTwin(tx, moved)
    if (twin && twin.row.id !== id) throw taken(twin.by)
    return toLead(tx.update(leads, id, changes, { expect }))
  })
}

/** Restores a removed lead within 30 days, unless the same lead was captured again or its person was erased. */
export function restoreLead(ctx: Ctx, id: string): Promise<Lead> {
  return ctx.write('lead.restore', (tx) => {
    const lead = tx.get(leads, id, { withDeleted: true })
    if (lead.deletedAt === null) throw leadErrors.not_deleted()
    const isErased = lead.email === null && lead.phone === null
    if (isErased || tx.now - lead.deletedAt > RESTORE_DAYS * DAY) throw leadErrors.restore_late()
    const twin = findTwin(tx, { email: lead.email, phone: lead.phone })
    if (twin) throw taken(twin.by)
    return toLead(tx.update(leads, id, { deletedAt: null }))
  })
}

/** Removes a lead from the lists; it can be restored. */
export function deleteLead(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('lead.delete', (tx) => {
    tx.remove(leads, id, { expect })
    return null
  })
}

/**
 * Converts a lead to a client, once: creates the client, or links the one with that e-mail. Repeating it answers the
 * same and does nothing. Fires `lead.converted`, then `trader.created` for a new client. RULES “Leads”.
 */
export function convertLead(ctx: Ctx, id: string): Promise<Static<typeof ConversionOut>> {
  return ctx.write('lead.convert', (tx) => {
    const lead = tx.get(leads, id)
    if (lead.traderId !== null) return { lead: toLead(lead), traderId: lead.traderId, created: false }
    if (!mayBecome(leadStates, lead.status, 'converted')) throw leadErrors.not_convertible()
    if (lead.email === null) throw leadErrors.no_email()
    const existing = traderByAddress(tx, lead.email)
    const traderId = existing?.id ?? ctx.ids.next('trd')
    // the client's row is written before the lead's for the foreign key, but the event of the conversion must come
    // before that of the client
    const { email, phone, firstName, lastName, country, language, source, assignedTo } = lead
    const announce = () => tx.emit('lead.converted', { leadId: id, status: 'converted', source, traderId })
    if (existing) announce()
    else
      addTrader(
        tx,
        ctx,
        { email, phone, firstName, lastName, country, language, source, assignedTo },
        {
          referrals,
          action: 'trader.create',
          id: traderId,
          leadId: id,
          emailBy: lead.emailBy,
          referral: lead.affiliateId === null ? null : { affiliateId: lead.affiliateId, via: 'lead' },
        },
        announce,
      )
    // who changed the lead's address could sign in as the client, just like who changes a client's address
    if (!existing && lead.emailChanged) noteClientAct(tx, lead.emailBy, traderId, 'changed_address')
    const row = tx.transition(leads, id, leadStates, 'converted', { traderId, convertedAt: tx.now })
    return { lead: toLead(row), traderId, created: !existing }
  })
}

/**
 * Assigns several leads, each separately with a result of its own. The result of a changed lead has its version and
 * who had it before, with which the assignment is undone.
 */
export function bulkAssign(
  ctx: Ctx,
  { ids, assignedTo }: Static<typeof BulkAssignIn>,
): Promise<Static<typeof BulkAssignOut>> {
  return ctx.write('lead.assign', (tx) => {
    checkAssignee(tx, assignedTo)
    const missing = notFound()
    return {
      results: ids.map((id) => {
        const before = tx.find(leads, { id })
        if (!before) return { id, ok: false, code: missing.code, message: missing.message }
        if (before.assignedTo === assignedTo) return { id, ok: true }
        const { version } = tx.update(leads, id, { assignedTo })
        return { id, ok: true, version, assignedBefore: before.assignedTo }
      }),
    }
  })
}
