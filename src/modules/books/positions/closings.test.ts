import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { reportPosition } from '../../../testing/position-report.ts'
import { beginLeg, countLots, findLotFault, type LotCounts, NO_LOTS } from './lot-counts.ts'
import { LOT } from './lots.ts'

let app: TestApp
let firm: Firm
let bridge: Caller
let traderId: string
let server: string
let sequence = 0
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  traderId = await firm.trader()
  for (const accountNumber of ['7001', '7002'])
    await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId, platform: 'terminal5', currency: 'EUR', accountNumber },
    })
  bridge = await firm.key(['positions:write', 'positions:read'])
})
beforeEach(() => {
  server = app.platform.ids.next('server')
  firm.effects()
})
afterAll(() => app.close())

type Row = Parameters<typeof reportPosition>[1]
const send = async (rows: object[], mode: 'delta' | 'snapshot' = 'delta', as: Caller = bridge) => {
  sequence += 1
  const body = { platform: 'terminal5', server, sequence, mode, positions: rows }
  const answer = await app.call('POST', '/v1/positions/sync', { as, body })
  expect(answer.status).toBe(200)
  return answer.body
}
const report = (row: Row, as: Caller = bridge) => send([reportPosition('1', row)], 'delta', as)
/** Reports ticket 1 beside another one, since a call of which no row is taken is refused as a whole. */
const findRefusals = async (row: Row): Promise<string[]> =>
  (await send([reportPosition('1', row), reportPosition('other')])).refused.map(
    ({ path, code }: Record<string, string>) => `${path} ${code}`,
  )
const CLOSED = { closedAt: '2026-01-11T09:00:00Z' }

/** Returns the position with a ticket as one asks for it, with its closings. */
async function read(ticket = '1') {
  const { data } = (await app.call('GET', '/v1/positions?limit=200&sort=-createdAt', { as: firm.as.viewer })).body
  const found = data.find((row: { ticket: string; server: string }) => row.server === server && row.ticket === ticket)
  return (await app.call('GET', `/v1/positions/${found.id}`, { as: firm.as.viewer })).body
}
type Closing = { lots: string; void: boolean; profit: string }
const lots = (position: { closings: Closing[] }): string[] =>
  position.closings.filter((closing) => !closing.void).map((closing) => closing.lots)
const totals = ({ volume, openedVolume, closedVolume }: Record<string, string>) => [volume, openedVolume, closedVolume]

/** Reports of one ticket: volume, whether it closes, what was closed in all; and the lots of its closing. */
const SCRIPTS: readonly [what: string, reports: Row[], closed: string][] = [
  [
    'a partial close and a close of the rest',
    [{ volume: '1' }, { volume: '0.7' }, { volume: '0.7', ...CLOSED }],
    '1.00',
  ],
  ['lots that were added', [{ volume: '0.1' }, { volume: '10' }, { volume: '10', ...CLOSED }], '10.00'],
  ['lots that were added before the close alone', [{ volume: '0.1' }, { volume: '10', ...CLOSED }], '10.00'],
  ['a close without a volume', [{ volume: '1' }, { volume: '0.4' }, { volume: '0', ...CLOSED }], '1.00'],
  ['a part that goes on under another ticket', [{ volume: '1' }, { volume: '0.3', ...CLOSED }], '0.30'],
  ['a partial close that no report showed', [{ volume: '1' }, { volume: '0.7', ...CLOSED }], '0.70'],
  ['one that `closedVolume` tells', [{ volume: '1' }, { volume: '0.7', closedVolume: '1', ...CLOSED }], '1.00'],
  ['a `closedVolume` that is less', [{ volume: '1' }, { volume: '1', closedVolume: '0.25', ...CLOSED }], '0.25'],
  ['a ticket that was closed before it was seen', [{ volume: '2', ...CLOSED }], '2.00'],
  ['such a ticket, whose close has no volume', [{ volume: '0', closedVolume: '3', ...CLOSED }], '3.00'],
  [
    'lots that were closed, added and closed',
    [{ volume: '2' }, { volume: '1' }, { volume: '3' }, { volume: '3', ...CLOSED }],
    '4.00',
  ],
]

describe('the lots of a closing', () => {
  test.each(SCRIPTS)('the closing of %s has all lots that were closed', async (_, reports, closed) => {
    for (const row of reports) await report(row)
    const position = await read()
    expect([lots(position), position.closedVolume, position.closingsTotal]).toEqual([[closed], closed, 1])
    expect(position.closings[0]).toMatchObject({
      id: position.id,
      openedAt: '2026-01-10T09:00:00.000Z',
      closedAt: '2026-01-11T09:00:00.000Z',
      profit: '125.00',
      deal: null,
      void: false,
    })
  })

  test('one lot that is closed in ten parts, each under the next ticket, is one lot', async () => {
    for (let part = 0; part < 10; part += 1) {
      await send([reportPosition(`p${part}`, { volume: `${((10 - part) / 10).toFixed(1)}` })])
      await send([reportPosition(`p${part}`, { volume: '0.1', ...CLOSED })])
    }
    const all = await Promise.all(Array.from({ length: 10 }, (_, part) => read(`p${part}`)))
    expect(all.flatMap(lots)).toEqual(Array(10).fill('0.10'))
  })

  test('while it is open a ticket has no closing, and says what was opened and closed', async () => {
    await report({ volume: '1' })
    await report({ volume: '0.7' })
    const open = await read()
    expect([totals(open), open.closings, open.closingsTotal]).toEqual([['0.70', '1.00', '0.30'], [], 0])
  })

  test('lots that cannot be are refused, and change nothing', async () => {
    await report({ volume: '1' })
    expect(await findRefusals({ volume: '1', closedVolume: '0', ...CLOSED })).toEqual(['closedVolume too_small'])
    expect(await read()).toMatchObject({ status: 'open', closedVolume: '0.00' })
  })

  test('lots that no number can count are refused', () => {
    const most = BigInt(Number.MAX_SAFE_INTEGER)
    const before = { volume: 1n, openedVolume: most - 1n, closedVolume: most - 2n, earlierVolume: 0n }
    const add = (volume: bigint) =>
      findLotFault(countLots(before, { volume, isClosed: false, closedVolume: undefined }), false)
    expect(add(2n)).toBeUndefined()
    expect(add(3n)).toMatchObject({ path: 'volume', code: 'amount_range' })
  })
})

describe('a ticket whose side turns', () => {
  const first = { volume: '1', profit: '10' }
  const second = { side: 'short', volume: '5', openPrice: '1.2', profit: '0', openedAt: '2026-01-12T10:00:00Z' }

  test('a turned side closes the whole with what was last reported of it, and begins the next leg', async () => {
    await report(first)
    const turned = await report(second)
    expect([turned.opened, turned.closed, turned.updated]).toEqual([1, 1, 0])
    expect(firm.effects().events).toEqual(['position.opened', 'position.closed', 'position.opened'])
    const open = await read()
    expect(open).toMatchObject({
      status: 'open',
      side: 'short',
      openPrice: '1.2',
      openedAt: '2026-01-12T10:00:00.000Z',
    })
    expect([totals(open), lots(open), open.closings[0].profit]).toEqual([['5.00', '6.00', '1.00'], ['1.00'], '10.00'])
    await report({ ...second, profit: '-7', closedAt: '2026-01-13T09:00:00Z' })
    const closed = await read()
    expect(closed.closings.map(({ lots: l, profit }: Closing) => [l, profit])).toEqual([
      ['5.00', '-7.00'],
      ['1.00', '10.00'],
    ])
    expect(closed.closings[0]).toMatchObject({
      openedAt: '2026-01-12T10:00:00.000Z',
      closedAt: '2026-01-13T09:00:00.000Z',
    })
    expect(closed.closings[1]).toMatchObject({ id: closed.id, closedAt: '2026-01-12T10:00:00.000Z' })
  })

  test('a ticket that keeps its first opening time was not open on the new side since then', async () => {
    await report(first)
    await report({ ...second, openedAt: '2026-01-10T09:00:00Z' })
    const now = new Date(app.clock.now()).toISOString()
    expect((await read()).openedAt).toBe(now)
  })

  test('a close without a volume closes what was left, whatever its side', async () => {
    await report(first)
    await report({ side: 'short', volume: '0', ...CLOSED })
    const closed = await read()
    expect([closed.side, lots(closed)]).toEqual(['long', ['1.00']])
  })

  test('what a ticket closed in all may not be less than what its legs before closed', async () => {
    await report(first)
    await report(second)
    expect(await findRefusals({ ...second, closedVolume: '0.5' })).toEqual(['closedVolume too_small'])
    await report({ ...second, closedVolume: '6', closedAt: '2026-01-13T09:00:00Z' })
    expect(lots(await read())).toEqual(['5.00', '1.00'])
  })
})

describe('what only a snapshot says', () => {
  test('a closing is assumed until the platform says so, and does not hold if the ticket is open after all', async () => {
    await report({ volume: '1' })
    await send([], 'snapshot')
    const assumed = await read()
    expect([assumed.status, lots(assumed)]).toEqual(['closed', ['1.00']])
    await report({ volume: '1' })
    const open = await read()
    expect([open.status, lots(open), totals(open)]).toEqual(['open', [], ['1.00', '1.00', '0.00']])
    expect(open.closings[0]).toMatchObject({ id: open.id, void: true })
    await report({ volume: '0.4' })
    await report({ volume: '0.4', profit: '9', ...CLOSED })
    const closed = await read()
    expect([lots(closed), closed.closings[0].profit, closed.closings[0].id]).toEqual([['1.00'], '9.00', closed.id])
  })

  test('the platform’s word replaces the lots and amounts of an assumed closing', async () => {
    await report({ volume: '1' })
    await send([], 'snapshot')
    await report({ volume: '0.3', profit: '4', ...CLOSED })
    const closed = await read()
    expect([lots(closed), closed.closings[0].profit, closed.closedVolume]).toEqual([['0.30'], '4.00', '0.30'])
  })
})

describe('a correction', () => {
  const close = { volume: '0.7', profit: '5', ...CLOSED }
  beforeEach(async () => {
    await report({ volume: '1' })
    await report(close)
    firm.effects()
  })

  test('a closed ticket is changed by nothing but a correction', async () => {
    expect(await report({ ...close, profit: '6' })).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await report({ ...close, profit: '6', corrects: true })).toMatchObject({ updated: 1, unchanged: 0 })
    const { events } = firm.effects()
    expect(events).toEqual(['position.corrected'])
    const corrected = await read()
    expect([corrected.profit, lots(corrected), corrected.closings[0].profit]).toEqual(['6.00', ['0.70'], '6.00'])
  })

  test('the same correction again changes nothing', async () => {
    await report({ ...close, profit: '6', corrects: true })
    firm.effects()
    expect(await report({ ...close, profit: '6', corrects: true })).toMatchObject({ updated: 0, unchanged: 1 })
    expect(firm.effects().events).toEqual([])
  })

  test('a correction replaces lots, side, prices and times, under the same closing', async () => {
    const row = { side: 'short', volume: '0.9', openPrice: '1.3', openedAt: '2026-01-10T10:00:00Z', corrects: true }
    await report({ ...row, closedAt: '2026-01-11T10:00:00Z' })
    const corrected = await read()
    expect(corrected).toMatchObject({ side: 'short', openPrice: '1.3', volume: '0.90' })
    expect(corrected.closings).toMatchObject([
      { id: corrected.id, lots: '0.90', openedAt: '2026-01-10T10:00:00.000Z', closedAt: '2026-01-11T10:00:00.000Z' },
    ])
  })

  test('a correction without a time of closing opens the ticket again, and its closing no longer holds', async () => {
    await report({ volume: '1', corrects: true })
    const open = await read()
    expect([open.status, open.closedAt, lots(open), totals(open)]).toEqual(['open', null, [], ['1.00', '1.00', '0.00']])
    await report({ volume: '1', ...CLOSED })
    expect(lots(await read())).toEqual(['1.00'])
  })

  test('a person, and a key of anybody but an owner, may not correct', async () => {
    const positions = [reportPosition('1', { ...close, profit: '6', corrects: true })]
    for (const as of [firm.as.owner, firm.as.operator, await firm.key(['positions:write'], 'admin')]) {
      sequence += 1
      const body = { platform: 'terminal5', server, sequence, mode: 'delta', positions }
      const answer = await app.call('POST', '/v1/positions/sync', { as, body })
      expect([answer.status, answer.body.errors?.[0]]).toMatchObject([
        422,
        { path: 'positions.0.corrects', code: 'not_allowed' },
      ])
    }
    expect((await read()).profit).toBe('5.00')
  })
})

test('closings of a ticket that nobody owned get the currency of the account that is linked later', async () => {
  const row = { accountNumber: 'late', volume: '1', profit: '10.555' }
  await report(row)
  await report({ ...row, side: 'short', openedAt: '2026-01-12T10:00:00Z' })
  await report({ ...row, side: 'short', openedAt: '2026-01-12T10:00:00Z', closedAt: '2026-01-13T09:00:00Z' })
  const body = { traderId, platform: 'terminal5', currency: 'EUR', accountNumber: 'late' }
  expect((await app.call('POST', '/v1/accounts', { as: firm.as.operator, body })).status).toBe(201)
  const position = await read()
  expect(position.closings.map(({ profit }: Closing) => profit)).toEqual(['10.56', '10.56'])
})

test('a new leg has no spread but the one that is reported for it, whether or not somebody owns the account', async () => {
  for (const accountNumber of ['7001', 'nobody']) {
    server = app.platform.ids.next('server')
    const row = { accountNumber, volume: '1' }
    await report({ ...row, spread: '3' })
    const next = { ...row, side: 'short', openedAt: '2026-01-12T10:00:00Z' }
    await report(next)
    await report({ ...next, closedAt: '2026-01-13T09:00:00Z' })
    const { closings } = await read()
    expect([accountNumber, closings.map(({ spread }: { spread: string | null }) => spread && Number(spread))]).toEqual([
      accountNumber,
      [null, 3],
    ])
  }
})

test('a client reads the closings of their own positions, and of no other', async () => {
  await report({ volume: '1', ...CLOSED })
  const { id } = await read()
  const own = await app.call('GET', `/v1/positions/${id}`, { as: await firm.traderSession(traderId) })
  const other = await app.call('GET', `/v1/positions/${id}`, { as: await firm.traderSession(await firm.trader()) })
  expect([own.status, own.body.closingsTotal, other.status]).toEqual([200, 1, 404])
})

test('whatever is reported, what was opened is what was closed and what is open, and legs close each lot once', () => {
  const step = fc.record({ lots: fc.integer({ min: 1, max: 1000 }), turns: fc.boolean(), closes: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let counts: LotCounts = NO_LOTS
      let [opened, closed, open] = [0n, 0n, 0n]
      const legs: bigint[] = []
      for (const { lots: size, turns, closes } of steps) {
        const volume = BigInt(size) * (LOT / 100n)
        if (turns && open > 0n) {
          const { ended, begun } = beginLeg(counts)
          legs.push(ended.closedVolume - ended.earlierVolume)
          closed += open
          open = 0n
          counts = begun
        }
        // a close says what it closes; what exceeds the open lots was added before
        counts = countLots(counts, { volume, isClosed: closes, closedVolume: undefined })
        opened += volume > open ? volume - open : 0n
        closed += closes ? volume : volume < open ? open - volume : 0n
        open = closes ? 0n : volume
        expect(findLotFault(counts, closes)).toBeUndefined()
        expect([counts.openedVolume, counts.closedVolume]).toEqual([opened, closed])
        if (closes) return
      }
      expect(legs.reduce((sum, leg) => sum + leg, 0n)).toBe(counts.earlierVolume)
    }),
  )
})
