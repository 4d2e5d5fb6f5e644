import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { hasScope } from '../../../platform/access/principal.ts'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { type EventName, isEventName, readableEvents } from '../../../platform/events/catalogue.ts'
import { EVENT_STATE } from '../../../platform/events/outbox.ts'
import { defineErrors, invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { type EventFeed, KEPT, PAGE } from './events.model.ts'
import { events } from './events.table.ts'

export type StoredEvent = { sequence: number; id: string; event: EventName; body: string }

const STATE = 'SELECT value FROM job_state WHERE name = ?2 || ?1'
const numbers = sql`SELECT ${events.sequence} AS value FROM ${events} WHERE ${events.tenantId} = ?1`
const LAST = statement(sql`${numbers} ORDER BY ${events.sequence} DESC LIMIT 1`)
const stored = sql`SELECT ${listed({
  sequence: events.sequence,
  id: events.id,
  event: events.event,
  body: events.body,
})} FROM ${events} WHERE ${events.tenantId} = ?1`
const EVENTS = statement(
  sql`${stored} AND ${events.sequence} > ?2 AND ${events.sequence} <= ?3
  AND ${events.event} IN (SELECT value FROM json_each(?4)) ORDER BY ${events.sequence} LIMIT ?5`,
)
/** One query looks at this many numbers at most, so that the search for a rare name does not delay other requests. */
const SPAN = 20_000

const readState = (db: Reader, fact: keyof typeof EVENT_STATE): number =>
  Number(db.query<{ value: string }>(STATE, [EVENT_STATE[fact]])[0]?.value ?? 0)

/** Returns the newest number of the firm, even if its event is no longer kept. */
const lastSequence = (db: Reader): number => db.query<{ value: number }>(LAST)[0]?.value ?? readState(db, 'last')

const feedErrors = defineErrors('', () => ({
  events_gone: [410, say('events.error.events_gone'), say('events.todo.events_gone')],
}))

/** Throws the 410 if events after this number were already removed. */
export function refuseGone(db: Reader, after: number): void {
  if (after < readState(db, 'gone')) throw feedErrors.events_gone()
}

/**
 * Returns events after a number that have one of these names, in order. Every such event up to `reached` is in
 * `events`; `done` says that `reached` is the newest number.
 */
export function readEvents(
  db: Reader,
  after: number,
  names: readonly EventName[],
): { events: StoredEvent[]; reached: number; last: number; done: boolean } {
  const last = lastSequence(db)
  const to = Math.min(last, after + SPAN)
  const events = db.query<StoredEvent>(EVENTS, [after, to, JSON.stringify(names), PAGE])
  const full = events.length === PAGE
  const reached = full ? (events.at(-1)?.sequence ?? to) : Math.max(to, after)
  return { events, reached, last, done: reached >= last }
}

const BY_ID = statement(
  sql`${stored} AND ${events.id} IN (SELECT value FROM json_each(?2)) ORDER BY ${events.sequence}`,
)

/** Returns events of the firm by their ids, in order. */
export const eventsById = (db: Reader, ids: readonly string[]): StoredEvent[] =>
  db.query<StoredEvent>(BY_ID, [JSON.stringify(ids)])

const NEXT = statement(
  sql`SELECT ${listed({ sequence: events.sequence, createdAt: events.createdAt })} FROM ${events}
  WHERE ${events.tenantId} = ?1 AND ${events.sequence} > ?2 ORDER BY ${events.sequence} LIMIT 1`,
)

/**
 * Returns the number after which the events of a time begin; 410 if events since then were already removed. Times rise
 * with the numbers, so a binary search finds it.
 */
export function numberBefore(ctx: Ctx, time: number): number {
  const { db } = ctx
  if (time < ctx.now() - KEPT) refuseGone(db, 0)
  let low = readState(db, 'gone')
  let high = lastSequence(db)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = db.query<{ sequence: number; createdAt: number }>(NEXT, [middle])[0]
    if (next === undefined || next.createdAt >= time) high = middle
    else low = next.sequence
  }
  return low
}

/** Returns the names of events that a caller may read; a key reads those of the resources in its scopes. */
export const readableBy = ({ principal }: Pick<Ctx, 'principal'>): EventName[] =>
  readableEvents((scope) => hasScope(principal, scope))

function readEventNames(ctx: Ctx, types: string | undefined): { names: EventName[]; asksForPositions: boolean } {
  const readable = readableBy(ctx)
  if (types === undefined) return { names: readable, asksForPositions: false }
  const asked = types.split(',').map((word) => {
    if (!isEventName(word)) throw invalid('query.types', 'unknown', say('events.field.event_unknown'))
    return word
  })
  const names = readable.filter((name) => asked.includes(name))
  return { names, asksForPositions: names.includes('position.updated') }
}

const NOTE = `INSERT INTO job_state (name, value) VALUES (?2 || ?1, ?3)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/**
 * Notes that updates of positions are read, so that they are written for the next hour. One note in five minutes is
 * enough.
 */
async function noteReader(ctx: Ctx): Promise<void> {
  if (readState(ctx.db, 'updatesRead') > ctx.now() - 5 * MINUTE) return
  await ctx.write('events.read', (tx) => tx.execute(NOTE, [EVENT_STATE.updatesRead, String(tx.now)]), { answer: false })
}

/** Returns whether a reader of the last hour asked for updates of positions by name. */
export const updatesAreRead = (db: Reader, now: number): boolean => readState(db, 'updatesRead') > now - HOUR

const FIRST = statement(sql`${numbers} ORDER BY ${events.sequence} LIMIT 1`)

/** Answers the firm's events in the stored bytes; a key sees those of resources that it may read. RULES “Events”. */
export async function readFeed(ctx: Ctx, query: { after?: string; types?: string }): Promise<EventFeed> {
  const { names, asksForPositions } = readEventNames(ctx, query.types)
  if (asksForPositions) await noteReader(ctx)
  // nothing is awaited from here on, so that all reads see the same moment
  const { db } = ctx
  const oldest = () => (db.query<{ value: number }>(FIRST)[0]?.value ?? lastSequence(db) + 1) - 1
  const from = query.after === undefined ? oldest() : Number(query.after)
  if (query.after !== undefined) refuseGone(db, from)
  const { events, reached, last, done } = readEvents(db, from, names)
  return {
    data: events.map(({ body }) => JSON.parse(body)),
    nextCursor: done ? null : String(reached),
    lastSequence: last,
  }
}
