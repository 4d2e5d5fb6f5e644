import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { refuseKeys } from '../../../platform/access/in-person.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import { MINUTE, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid, Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { closeFeeds, mustBePlatform, openFeeds } from '../../books/accounts/platform-feed.ts'
import { TIME_ALONE } from '../../firm/independence/account-control.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { refuseGivenPassword, struckColleagues, whyNotVote } from '../../firm/independence/independence.service.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { actorName, mailOwners } from '../../firm/users/users.notices.ts'
import { terminalFindings } from '../findings/findings.table.ts'
import { OPEN_STATES } from '../instructions/instructions.store.ts'
import { terminalInstructions } from '../instructions/instructions.table.ts'
import { MOST_CONNECTIONS, terminalErrors } from './connections.errors.ts'
import {
  type Connection,
  type ConnectionIn,
  type ConnectionPatch,
  DEFAULT_PACE,
  DEFAULT_REQUESTS,
  findPending,
  GUARDED,
  toConnection,
} from './connections.model.ts'
import {
  type ConnectionRow,
  type Guarded,
  type Pending,
  terminalConnections,
  terminalHealth,
} from './connections.table.ts'
import { noteHealth } from './health.ts'
import { listReadGroups } from './known-groups.ts'
import { livePending } from './pending.ts'
import { sealContext } from './terminal-address.ts'

/** No terminal has deals of before. */
const EARLIEST = Date.UTC(2000, 0, 1)
const FINGERPRINT = /^(?:[0-9a-f]{2}:?){31}[0-9a-f]{2}$/i
const PEM = /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/

const isAdmin = ({ principal }: Ctx): boolean => atLeast(findRole(principal) ?? 'viewer', 'admin')
/** Returns the wire form of a connection for a caller. */
export const showConnection = (ctx: Ctx, row: ConnectionRow, db: Reader = ctx.db): Connection =>
  toConnection(row, { db, isAdmin: isAdmin(ctx), now: ctx.now(), groupsRead: listReadGroups(ctx, db, row) })

/** Refuses a caller who may not enter what is guarded: only an owner in a session with a fresh sign-in may. */
function requireEntrant(ctx: Ctx, tx: Tx): string {
  refuseKeys(ctx)
  requireFresh(ctx)
  const userId = findStaffId(ctx.principal)
  if (userId === null || !atLeast(findRole(ctx.principal) ?? 'viewer', 'owner'))
    throw new Problem(403, 'forbidden', say('terminals.problem.owner_enters'))
  refuseGivenPassword(tx, ctx)
  return userId
}

/** Returns a certificate in the form in which it is compared, or throws what is wrong with it. */
function tidyCertificate(trust: Guarded['trust'], text: string | null): string | null {
  if (trust === 'public') {
    if (text === null) return null
    throw invalid('certificate', 'not_allowed', say('terminals.field.certificate_useless'))
  }
  if (text === null) throw invalid('certificate', 'required', say('terminals.field.certificate_needed'))
  if (!(trust === 'pinned' ? FINGERPRINT : PEM).test(text))
    throw invalid('certificate', 'format', say('terminals.field.certificate_pin'))
  return trust === 'pinned' ? text.replaceAll(':', '').toLowerCase() : text.trim()
}

/** Returns the time from which on deals count, or throws that it is none. */
function parseSince(text: string, now: number): number {
  const since = Date.parse(text)
  if (since >= EARLIEST && since <= now) return since
  throw invalid('since', 'range', say('terminals.field.since_range'))
}

/** Creates a connection, which reads before it is confirmed as the word of whoever entered it. RULES “Connections”. */
export function createConnection(ctx: Ctx, input: Static<typeof ConnectionIn>): Promise<Connection> {
  const id = ctx.ids.next('trm')
  const { password, certificate = null, since, readEvery, requestsPerSecond, ...rest } = input
  return ctx.write('terminals.create', (tx) => {
    const by = requireEntrant(ctx, tx)
    if (rest.driver === 'simulator' && !ctx.config.hasSimulator) throw terminalErrors.simulator_refused()
    mustBePlatform(tx, rest.platform)
    if (tx.count(terminalConnections, {}) >= MOST_CONNECTIONS) throw terminalErrors.too_many()
    if (tx.find(terminalConnections, { platform: rest.platform, server: rest.server })) throw terminalErrors.exists()
    const row = tx.insert(terminalConnections, {
      id,
      ...rest,
      certificate: tidyCertificate(rest.trust, certificate),
      password: ctx.secrets.seal(password, sealContext(ctx.tenantId, id)),
      since: since === undefined ? tx.now : parseSince(since, tx.now),
      readEvery: readEvery ?? DEFAULT_PACE,
      requestsPerSecond: requestsPerSecond ?? DEFAULT_REQUESTS,
      enteredBy: [by],
      enteredAt: tx.now,
    })
    tellOwners(tx, ctx, 'entered', row, [...GUARDED])
    return showConnection(ctx, row, tx)
  })
}

type Names = readonly (typeof GUARDED)[number][]
function tellOwners(tx: Tx, ctx: Ctx, what: 'entered' | 'confirmed', { name }: ConnectionRow, fields: Names): void {
  const facts = { name, by: actorName(tx, ctx), fields: fields.join(', ') }
  mailOwners(tx, ctx, () => ({
    subject: say(`terminals.mail.subject.${what}`, facts),
    text: say(`terminals.mail.${what}`, facts),
  }))
}

/** Answers one connection. */
export const getConnection = (ctx: Ctx, id: string): Connection =>
  showConnection(ctx, ctx.db.get(terminalConnections, id))

/** Returns those guarded settings that a change names, in the form in which they are stored. */
function readGuarded(patch: Static<typeof ConnectionPatch>, before: Guarded, now: number): Partial<Guarded> {
  const { address, trust, certificate, login, groups, since, money } = patch
  const fields: Partial<Guarded> = {
    ...(address !== undefined && { address }),
    ...(trust !== undefined && { trust }),
    ...(login !== undefined && { login }),
    ...(groups !== undefined && { groups }),
    ...(since !== undefined && { since: parseSince(since, now) }),
    ...(money === true && { money }),
  }
  if (trust === undefined && certificate === undefined) return fields
  const next = trust ?? before.trust
  const given = certificate === undefined ? (next === before.trust ? before.certificate : null) : certificate
  return { ...fields, certificate: tidyCertificate(next, given) }
}

/** Returns which of the values differ from those in force. */
const keepChanged = (fields: Partial<Guarded>, before: Guarded): Partial<Guarded> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)),
    ),
  )

/** A stored password is not sent to a place, or as somebody, that it was not entered for. */
const NEED_PASSWORD = ['address', 'trust', 'certificate', 'login'] as const

/**
 * Returns what a change of guarded settings writes: for a connection in force it waits in `pending`, beside what waited
 * before; a connection that nobody confirmed yet gets it at once, and whoever confirms must have seen it.
 */
function enterGuarded(
  tx: Tx,
  ctx: Ctx,
  before: ConnectionRow,
  fields: Partial<Guarded>,
  password: string | undefined,
): Partial<ConnectionRow> {
  const by = requireEntrant(ctx, tx)
  if (password === undefined && NEED_PASSWORD.some((name) => name in fields))
    throw invalid('password', 'required', say('terminals.field.password_again'))
  const sealedPassword =
    password === undefined ? null : ctx.secrets.seal(password, sealContext(ctx.tenantId, before.id))
  const entry = before.entry + 1
  if (before.confirmedAt === null) {
    const enteredBy = [...new Set([...before.enteredBy, by])]
    return { ...fields, ...(sealedPassword && { password: sealedPassword }), enteredBy, enteredAt: tx.now, entry }
  }
  const waits = livePending(before.pending, tx.now)
  const pending: Pending = {
    by: [...new Set([...(waits?.by ?? []), by])],
    at: tx.now,
    entry,
    fields: { ...waits?.fields, ...fields },
    hasPassword: sealedPassword !== null || waits?.hasPassword === true,
  }
  return { pending, pendingPassword: sealedPassword ?? (waits ? before.pendingPassword : null), entry }
}

/**
 * Changes a connection. Name, pause and pace, and money off, count at once and may be changed by an admin; guarded
 * settings are an owner’s and wait for a second person.
 */
export async function updateConnection(
  ctx: Ctx,
  id: string,
  patch: Static<typeof ConnectionPatch>,
  expect: number | undefined,
): Promise<Connection> {
  const { name, paused, readEvery, requestsPerSecond, password } = patch
  return ctx.write('terminals.update', (tx) => {
    const before = tx.get(terminalConnections, id)
    const waiting = findPending(before, tx.now)
    const expected = { ...before, ...(before.confirmedAt === null ? {} : waiting?.fields) }
    const fields = keepChanged(readGuarded(patch, expected, tx.now), expected)
    const isGuarded = Object.keys(fields).length > 0 || password !== undefined
    const releases = patch.money === true && before.moneyHeldAt !== null
    if (releases) mustBeReleasable(tx, ctx, before)
    const entered = isGuarded ? enterGuarded(tx, ctx, before, fields, password) : {}
    const changes: Partial<ConnectionRow> = {
      ...(name !== undefined && { name }),
      ...(paused !== undefined && { paused }),
      ...(readEvery !== undefined && { readEvery }),
      ...(requestsPerSecond !== undefined && { requestsPerSecond }),
      ...entered,
      ...(patch.money === false && stopMoney(entered.pending ?? before.pending)),
      ...(releases && { moneyHeldAt: null }),
    }
    const row = tx.update(terminalConnections, id, changes, { expect })
    if (row.since < before.since) noteHealth(tx, id, { dealsUntil: null })
    if (isGuarded)
      tellOwners(
        tx,
        ctx,
        'entered',
        row,
        GUARDED.filter((key) => key in fields || (key === 'password' && password !== undefined)),
      )
    return showConnection(ctx, row, tx)
  })
}

/** A terminal may show what it booked this much later. */
const SHOWN_WITHIN = 3 * MINUTE

/**
 * Refuses to let money move again after a copy of the database was put back: not before the terminal was read whole
 * since and had the time to show all, and every reference of ours that it has is a transfer here or explained.
 */
function mustBeReleasable(tx: Tx, ctx: Ctx, { id, moneyHeldAt }: ConnectionRow): void {
  requireEntrant(ctx, tx)
  const readAt = tx.find(terminalHealth, { id })?.lastReadAt ?? 0
  if (readAt < (moneyHeldAt ?? 0) + SHOWN_WITHIN) throw terminalErrors.not_read_since()
  if (tx.find(terminalFindings, { connectionId: id, kind: 'reference_unknown', state: 'open' }))
    throw terminalErrors.references_open()
}

/** Returns the columns that switch money off, and that take it out of what waits. */
function stopMoney(pending: Pending | null): Partial<ConnectionRow> {
  if (pending?.fields.money === undefined) return { money: false }
  const { money: _, ...fields } = pending.fields
  return { money: false, pending: { ...pending, fields } }
}

/** Returns the refusal of this person’s confirmation; null if they may confirm what these people entered. */
function whyNotConfirm(tx: Tx, userId: string, { by, at }: Pending): Problem | null {
  const people = readPeople(tx.unowned, tx.now)
  const isOwn = (id: string): boolean => by.some((author) => people.samePerson(author, id))
  if (!isOwn(userId)) return whyNotVote(tx.unowned, people, userId, null, tx.now)
  const others = people.alone('admin').some((id) => !isOwn(id))
  if (others || struckColleagues(tx.unowned, people, userId, tx.now) || people.activeRole(userId) !== 'owner')
    return independenceErrors.not_independent({ detail: say('terminals.problem.another_confirms') })
  return tx.now - at < TIME_ALONE
    ? independenceErrors.not_independent({ detail: say('terminals.problem.waits', { at: toIso(at + TIME_ALONE) }) })
    : null
}

/**
 * Confirms what an owner entered: `version` is that of the pending settings that the confirmer saw. They are in force
 * from then on, and a confirmed connection is believed as the trading platform itself.
 */
export function confirmConnection(ctx: Ctx, id: string, version: number): Promise<Connection> {
  return ctx.write('terminals.confirm', (tx) => {
    refuseKeys(ctx)
    requireFresh(ctx)
    const before = tx.get(terminalConnections, id)
    const pending = findPending(before, tx.now)
    if (pending?.entry !== version) throw terminalErrors.changed_meanwhile()
    const userId = findStaffId(ctx.principal) ?? ''
    const refusal = whyNotConfirm(tx, userId, pending)
    if (refusal) throw refusal
    const change = before.confirmedAt === null ? {} : pending.fields
    const enteredBy = [...new Set([...before.enteredBy, ...pending.by])]
    const row = tx.update(terminalConnections, id, {
      ...change,
      ...(before.pendingPassword && pending.hasPassword && { password: before.pendingPassword }),
      enteredBy,
      enteredAt: pending.at,
      confirmedBy: userId,
      confirmedAt: tx.now,
      pending: null,
      pendingPassword: null,
    })
    if (row.since < before.since) noteHealth(tx, id, { dealsUntil: null })
    closeFeeds(tx, row.platform, row.server)
    tellOwners(
      tx,
      ctx,
      'confirmed',
      row,
      GUARDED.filter((name) => (name === 'password' ? pending.hasPassword : name in pending.fields)),
    )
    return showConnection(ctx, row, tx)
  })
}

/**
 * Removes a connection with its password; accounts, positions and deals stay. 409 while anything that was asked of it
 * is not at its end.
 */
export function deleteConnection(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('terminals.delete', (tx) => {
    requireEntrant(ctx, tx)
    const { platform, server } = tx.get(terminalConnections, id)
    if (tx.find(terminalInstructions, { connectionId: id, state: [...OPEN_STATES] })) throw terminalErrors.in_use()
    tx.update(
      terminalConnections,
      id,
      { password: new Uint8Array(0), pendingPassword: null, pending: null },
      { expect },
    )
    tx.remove(terminalConnections, id)
    openFeeds(tx, platform, server)
    return null
  })
}
