import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  EVENTS,
  eventNames,
  isEventName,
  readableEvents,
  buildSampleEvent as sampleEvent,
} from '../platform/events/catalogue.ts'
import { buildEnvelopeSchema } from '../platform/http/openapi/openapi.ts'
import type { TestApp } from '../testing/app.ts'
import { collectRoutes, undocumented } from './routes.ts'
import { buildSample, send } from './samples.ts'
import type { Place } from './seed-firm.ts'
import { furnished } from './seeded-app.ts'

type Stored = { tenantId: string; sequence: number; event: string; body: string }

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
let events: Stored[]
/** Collects operations that fire an event although its catalogue entry does not name them. */
const untold: string[] = []
const lastEvent = (): number =>
  app.platform.reader.get<{ last: number }>('SELECT coalesce(max(rowid), 0) AS last FROM events')?.last ?? 0
const namesAfter = (last: number): string[] =>
  app.platform.reader
    .all<{ event: string }>('SELECT DISTINCT event FROM events WHERE rowid > ?', [last])
    .map(({ event }) => event)
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
  for (const route of collectRoutes(app).filter(({ mutates }) => mutates)) {
    const as = await place.make.member('platform_admin')
    const sample = await buildSample(route, place, { as })
    const before = lastEvent()
    await send(route, place, sample, route.role === 'public' ? {} : { as })
    const declared = [route.detail['x-fires'] ?? []].flat()
    for (const event of namesAfter(before)) if (!declared.includes(event)) untold.push(`${route.operationId} ${event}`)
  }
  await movePosition()
  events = app.platform.reader.all<Stored>(
    'SELECT tenant_id AS tenantId, sequence, event, body FROM events ORDER BY tenant_id, sequence',
  )
})
afterAll(() => world.close())

/** Opens, changes and closes a position. */
async function movePosition(): Promise<void> {
  const at = {
    ticket: '1',
    accountNumber: '7',
    symbol: 'EURUSD',
    side: 'long',
    volume: '1',
    openPrice: '1',
    profit: '1',
  }
  // this event is made for its subscribers only, since it happens too often for the feed
  const wanted = { url: place.receiver, events: ['position.updated'] }
  await app.call('POST', '/v1/webhooks/subscriptions', { as: place.firm.as.owner, body: wanted })
  const times = { openedAt: '2026-01-10T09:00:00Z' }
  const bridge = await place.firm.key(['positions:write'])
  const closed = { currentPrice: '2', closedAt: '2026-01-11T09:00:00Z' }
  const states = [{ currentPrice: '1' }, { currentPrice: '2' }, closed, { ...closed, profit: '2', corrects: true }]
  for (const [index, state] of states.entries()) {
    const { status } = await app.call('POST', '/v1/positions/sync', {
      as: bridge,
      body: {
        platform: 'terminal5',
        server: 's',
        sequence: index + 1,
        mode: 'delta',
        positions: [{ ...at, ...times, ...state }],
      },
    })
    expect(status).toBe(200)
  }
}

test('the event catalogue names the operations that may fire each event, and only those that exist', () => {
  expect(untold).toEqual([])
  const known = new Set(collectRoutes(app).map(({ operationId }) => operationId))
  expect(eventNames.flatMap((name) => EVENTS[name].by.filter((id) => !known.has(id)))).toEqual([])
})

test('an event in the feed is readable by those who may read the subject of one of its operations', () => {
  const faults = eventNames.filter((name) => {
    const about = EVENTS[name].by.map((id) => id.split('.')[0])
    return !readableEvents((scope) => about.includes(scope.split(':')[0])).includes(name)
  })
  expect(faults).toEqual([])
})

test('every event of the catalogue is fired by an operation', () => {
  const fired = new Set(events.map(({ event }) => event))
  expect(Object.keys(EVENTS).filter((name) => !fired.has(name))).toEqual([])
})

/** Returns the fields of a payload that its schema does not name; an intersection names them in several parts. */
function undocumentedIn(payload: TSchema, value: unknown): string[] {
  if (!Array.isArray(payload.allOf)) return undocumented(payload, value)
  const parts: TSchema[] = payload.allOf
  const known = new Set(parts.flatMap((part) => Object.keys(part.properties ?? {})))
  return Object.keys(Object(value)).filter((key) => !known.has(key))
}

test('every fired event has exactly the fields that the catalogue names', () => {
  const faults: string[] = []
  for (const { event, body, sequence, tenantId } of events) {
    if (!isEventName(event)) {
      faults.push(`${event} is not in the catalogue`)
      continue
    }
    const { payload } = EVENTS[event]
    const envelope: Record<string, unknown> = JSON.parse(body)
    expect(Object.keys(envelope)).toEqual(['id', 'event', 'createdAt', 'tenantId', 'sequence', 'payload'])
    expect(envelope).toMatchObject({ event, sequence, tenantId })
    for (const { path, message } of Value.Errors(payload, envelope.payload)) faults.push(`${event}${path}: ${message}`)
    for (const key of undocumentedIn(payload, envelope.payload)) faults.push(`${event}.${key} is not documented`)
  }
  expect([...new Set(faults)]).toEqual([])
})

test('event numbers rise by one in each firm, without a gap', () => {
  const last = new Map<string, number>()
  for (const { tenantId, sequence } of events) {
    expect(sequence).toBe((last.get(tenantId) ?? 0) + 1)
    last.set(tenantId, sequence)
  }
  expect(last.get(place.firm.tenantId)).toBeGreaterThan(50)
})

test('no event names a person, since a receiver reads by id what it may read', () => {
  for (const { event, body } of events)
    for (const word of ['Ada', 'Byron', '@alpha.test', '+357']) expect(`${event} ${body}`).not.toContain(word)
})

test('the sample of each event has exactly the fields of its schema, in the order in which they are sent', () => {
  const [first] = events
  const keys = Object.keys(JSON.parse(first?.body ?? '{}'))
  for (const name of eventNames) {
    const [sample, schema] = [sampleEvent(name), buildEnvelopeSchema(name)]
    expect([name, [...Value.Errors(schema, sample)]]).toEqual([name, []])
    expect([name, undocumentedIn(EVENTS[name].payload, sample.payload)]).toEqual([name, []])
    expect(Object.keys(sample)).toEqual(keys)
  }
})
