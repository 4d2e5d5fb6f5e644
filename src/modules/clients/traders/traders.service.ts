import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { findRole, findStaffId, requireScope } from '../../../platform/access/principal.ts'
import { DAY, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid, notFound, type Problem } from '../../../platform/problem.ts'
import { boundedMetadata } from '../../../platform/wire/fields.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import type { AuditAction } from '../../../words/audit-actions.ts'
import { RESTORE_DAYS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { voidLinks } from '../../firm/auth/auth.own-account.ts'
import { endSessions } from '../../firm/auth/auth.service.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import { noteClientAct, personBehind, requireDecider } from '../../firm/independence/independence.service.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { users } from '../../firm/users/users.table.ts'
import { mailAddressChanged } from './client-access.ts'
import { noteAddress } from './client-address.ts'
import { guardClient, identityChanges, noteIdentity, requireManager } from './client-blocks.ts'
import { knownCountry, toE164 } from './contact.ts'
import { refuseAlias } from './merged.queries.ts'
import { affiliateErrors, traderErrors } from './traders.errors.ts'
import type { Papers, Referral, Referrals, TraderHooks } from './traders.hooks.ts'
import {
  type BroughtTrader,
  type Trader,
  type TraderIn,
  type TraderNoteIn,
  type TraderNoteOut,
  type TraderPatch,
  toTrader,
  toTraderNote,
  traderPayload,
} from './traders.model.ts'
import { type TraderRow, traderNotes, traders } from './traders.table.ts'

type Profile = Omit<Static<typeof TraderPatch>, 'legalHold' | 'status' | 'affiliateId'>

/** Checks what a schema cannot, and normalises e-mail and phone; absent fields stay absent. */
function normalise(input: Profile, now: number): Partial<TraderRow> {
  const { email, phone, country, dateOfBirth, metadata, ...rest } = input
  const changes: Partial<TraderRow> = { ...rest }
  if (email !== undefined) changes.email = foldEmail(email)
  if (phone !== undefined) changes.phone = phone === null ? null : toE164(phone, country)
  if (country !== undefined) {
    changes.country = country === null ? null : knownCountry(country)
  }
  if (dateOfBirth !== undefined) {
    if (dateOfBirth !== null && !(dateOfBirth >= '1900-01-01' && dateOfBirth <= toIso(now).slice(0, 10))) {
      throw invalid('dateOfBirth', 'range', say('client.field.birth_date_range'))
    }
    changes.dateOfBirth = dateOfBirth
  }
  if (metadata !== undefined) changes.metadata = boundedMetadata('metadata', metadata)
  return changes
}

/** Throws the 422 for what a schema cannot check in a new client. */
export const checkProfile = (input: Static<typeof BroughtTrader>, now: number): void => void normalise(input, now)

/** Throws the 422 that names the field if the assignee is not in the firm. */
export function checkAssignee(db: Reader, assignedTo: string | null | undefined, path = 'assignedTo'): void {
  if (assignedTo && !db.find(users, { id: assignedTo }))
    throw invalid(path, 'unknown', say('problems.field.user_unknown'))
}

/**
 * Adds a client inside a transaction, also for signup, imports and the conversion of leads, which use `fixed` and
 * `beforeEvent`.
 */
export function addTrader(
  tx: Tx,
  ctx: Ctx,
  input: Static<typeof BroughtTrader>,
  {
    referrals,
    referral: known,
    setBy = findStaffId(ctx.principal),
    action,
    ...fixed
  }: {
    referrals: Referrals
    action?: AuditAction
    id?: string
    leadId?: string
    emailBy?: string | null
    setBy?: string | null
    referral?: Referral | null
  },
  beforeEvent: () => void = () => {},
): TraderRow {
  checkAssignee(tx, input.assignedTo)
  refuseAlias(tx.unowned, input.email && foldEmail(input.email), null)
  const { affiliateCode, visitorId, ...profile } = input
  const values = normalise(profile, tx.now)
  const { email = null, phone = null } = values
  const said = known === undefined ? referrals.said(tx, { affiliateCode, visitorId }) : known
  const referral = referrals.held(tx, said, { id: null, email, phone })
  const affiliateId = referral?.affiliateId ?? null
  const row = { ...values, affiliateId, emailBy: personBehind(ctx), lastActiveAt: tx.now, ...fixed }
  const trader = tx.insert(traders, row, action)
  if (referral) {
    referrals.note(tx, trader.id, { ...referral, setBy })
    noteClientAct(tx, setBy, trader.id, 'gave_broker')
  }
  noteAddress(tx, ctx, trader, false)
  beforeEvent()
  tx.emit('trader.created', traderPayload(trader))
  return trader
}

const needsManager = (path: string): Problem =>
  affiliateErrors.needs_manager({
    errors: [{ path, code: 'needs_manager', message: say('affiliates.field.needs_manager') }],
  })

/** Creates a client. The e-mail address must be unique in the firm, whatever its case. */
export function createTrader(ctx: Ctx, { referrals }: TraderHooks, input: Static<typeof TraderIn>): Promise<Trader> {
  return ctx.write('trader.create', (tx) => toTrader(addTrader(tx, ctx, input, { referrals })))
}

/** Changes a client; fires `trader.updated` with the names of the changed fields, or nothing if none changed. */
export function updateTrader(
  ctx: Ctx,
  { referrals, papers }: TraderHooks,
  id: string,
  patch: Static<typeof TraderPatch>,
  expect: number | undefined,
): Promise<Trader> {
  const role = findRole(ctx.principal)
  if (patch.legalHold !== undefined) requireManager(ctx, 'legalHold', 'client.field.legal_hold_manager')
  if (patch.affiliateId !== undefined && !(role && atLeast(role, 'manager'))) throw needsManager('affiliateId')
  const { status, legalHold, affiliateId, ...profile } = patch
  return ctx.write('trader.update', (tx) => {
    checkAssignee(tx, patch.assignedTo)
    // a hold may be set and lifted on a deleted client too, since it decides whether the person is erased
    const holdOnly = legalHold !== undefined && Object.keys(patch).length === 1
    const before = tx.get(traders, id, { withDeleted: holdOnly })
    if (before.erasedAt !== null) throw traderErrors.erased()
    const manages = role !== null && atLeast(role, 'manager')
    if (status !== undefined && status !== before.status && before.heldByManager)
      requireManager(ctx, 'status', 'client.field.status_manager')
    const address = normalise(profile, tx.now)
    const moves = address.email !== undefined && address.email !== before.email
    if (moves) refuseAlias(tx.unowned, address.email, id)
    const lifts = (status === 'active' && before.status !== 'active') || (legalHold === false && before.legalHold)
    const passesOn = affiliateId !== undefined && affiliateId !== before.affiliateId
    if (moves || lifts || passesOn) requireFresh(ctx)
    const changes = {
      ...address,
      ...(moves ? { emailBy: personBehind(ctx) } : {}),
      ...(status === undefined ? {} : { status, heldByManager: status !== 'active' && manages }),
      ...(legalHold === undefined ? {} : { legalHold }),
      ...(affiliateId === undefined ? {} : { affiliateId }),
      ...papersAfter(tx, ctx, papers, before, address),
    }
    const trader = tx.update(traders, id, changes, { expect })
    // a change without effect writes no audit entry, so the answer counts as reading the client
    if (trader.version === before.version) return toTrader(ctx.db.get(traders, id, { withDeleted: true }))
    guardClient(tx, ctx, before, patch)
    noteIdentity(tx, ctx, before, address)
    if (trader.affiliateId !== before.affiliateId) {
      requireScope(ctx, 'affiliate-decisions:write')
      requireDecider(tx, ctx, id)
      referrals.reassign(tx, trader, trader.affiliateId, personBehind(ctx))
      noteClientAct(tx, personBehind(ctx), id, 'gave_broker')
    }
    if (trader.status === 'closed') endSessions(tx, { traderId: id })
    if (moves) {
      moveAccess(tx, ctx, before)
      noteAddress(tx, ctx, trader, true)
    }
    const changed = [...Object.keys(patch), 'kycStatus'].filter(
      (key) =>
        JSON.stringify(toTrader(before)[key as keyof Trader]) !== JSON.stringify(toTrader(trader)[key as keyof Trader]),
    )
    tx.emit('trader.updated', { ...traderPayload(trader), changed })
    return toTrader(trader)
  })
}

/**
 * Requires a manager to change name, country or birth date of a client with approved documents, which then wait again.
 * Returns the changes of the row. RULES “KYC”.
 */
function papersAfter(
  tx: Tx,
  ctx: Ctx,
  papers: Papers,
  before: TraderRow,
  changes: Partial<TraderRow>,
): Partial<TraderRow> {
  const [path] = identityChanges(before, changes)
  if (path === undefined) return {}
  const reopened = papers.reopen(tx, before.id)
  if (reopened.kycStatus !== undefined) requireManager(ctx, path, 'client.field.name_manager')
  return reopened
}

/**
 * Moves the sign-in to another address: links mailed to the former one are void, sessions end, and the former address
 * gets a mail. Refused to a key if the client can sign in, since the key could then use “forgot password” as any
 * client.
 */
function moveAccess(tx: Tx, ctx: Ctx, before: TraderRow): void {
  voidLinks(tx, { traderId: before.id })
  if (!tx.find(credentials, { traderId: before.id })?.passwordHash) return
  if (ctx.principal.kind === 'api_key')
    throw traderErrors.has_access({
      errors: [{ path: 'email', code: 'has_access', message: say('client.field.email_has_access') }],
    })
  endSessions(tx, { traderId: before.id })
  if (before.email !== null) mailAddressChanged(tx, ctx, before.email, before.language)
}

/** Requires an admin to delete a client whose records the law keeps, and mails all owners. */
function guardEvidence(tx: Tx, ctx: Ctx, userId: string, id: string): void {
  const role = findRole(ctx.principal)
  if (role === null || !atLeast(role, 'admin')) throw traderErrors.needs_admin()
  const { displayName } = tx.get(users, userId, { withDeleted: true })
  const facts = { displayName, days: RESTORE_DAYS, url: `${ctx.config.publicUrl}/admin/traders/${id}` }
  mailOwners(tx, ctx, () => ({
    subject: say('client.mail.deleted.subject', facts),
    text: say('client.mail.deleted.text', facts),
  }))
}

/**
 * Deletes a client, who can be restored for 30 days; sessions end. 409 with the open money, if there is any. If the law
 * requires keeping the client's records, 403 below admin, and a deletion is mailed to all owners. Fires
 * `trader.deleted`. RULES “Traders”.
 */
export function deleteTrader(
  ctx: Ctx,
  { openMoney, isKept }: TraderHooks,
  id: string,
  expect: number | undefined,
): Promise<null> {
  return ctx.write('trader.delete', (tx) => {
    const trader = tx.get(traders, id)
    const { userId } = requireDecider(tx, ctx, id)
    // money of a deleted client could be neither paid out nor given back
    const open = openMoney(tx, id, findStaffId(ctx.principal), tx.now)
    if (open.length > 0)
      throw traderErrors.open_money({ detail: say('client.error.still_open', { open: open.join(', ') }) })
    if (isKept(tx, id)) guardEvidence(tx, ctx, userId, id)
    tx.remove(traders, id, { expect })
    endSessions(tx, { traderId: id })
    tx.emit('trader.deleted', { ...traderPayload(trader), version: trader.version + 1 })
    return null
  })
}

/** Restores a deleted client within 30 days, or while a legal hold prevents erasing. */
export function restoreTrader(ctx: Ctx, id: string): Promise<Trader> {
  return ctx.write('trader.restore', (tx) => {
    const trader = tx.get(traders, id, { withDeleted: true })
    requireDecider(tx, ctx, id)
    if (trader.deletedAt === null) throw traderErrors.not_deleted()
    if (trader.mergedInto !== null) throw traderErrors.merged()
    const late = tx.now - trader.deletedAt > RESTORE_DAYS * DAY && !trader.legalHold
    if (trader.erasedAt !== null || late) throw traderErrors.erased()
    const restored = tx.update(traders, id, { deletedAt: null })
    tx.emit('trader.updated', { ...traderPayload(restored), changed: ['deletedAt'] })
    return toTrader(restored)
  })
}

/** Adds an internal note, which clients never see. */
export function addNote(
  ctx: Ctx,
  traderId: string,
  input: Static<typeof TraderNoteIn>,
): Promise<Static<typeof TraderNoteOut>> {
  return ctx.write('trader.note', (tx) => {
    if (!tx.find(traders, { id: traderId })) throw notFound()
    return toTraderNote(tx.insert(traderNotes, { traderId, authorId: findStaffId(ctx.principal), body: input.body }))
  })
}
