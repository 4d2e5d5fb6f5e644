import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk, short } from '../../../testing/broker-desk.ts'
import { buildDeal } from '../../../testing/example-deals.ts'
import { createSeededRandom } from '../../../testing/insider/draw.ts'
import { Trader } from '../../../testing/random-trader.ts'
import type { LiveState } from '../../books/positions/derived.model.ts'
import { parseLots } from '../../books/positions/lots.ts'
import { openSource, takeDerived } from '../../books/positions/positions.derived.ts'
import type { Deal } from '../contract/terminal.ts'
import { foldPosition, listTickets } from './fold.ts'

const SEEDS = Number(process.env.BROKERBASE_SEEDS ?? 6)

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let client: string
let start: number
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
  client = await desk.client((await desk.affiliate(await desk.plan([lot('5')]))).id)
  start = Math.ceil(app.clock.now() / DAY) * DAY
  app.clock.advance(start + 20 * HOUR - app.clock.now())
  firm.effects()
})
afterEach(() => desk.close())

type Options = { since?: number; live?: LiveState; server?: string; accountNumber?: string; listened?: boolean }
/** Derives a position from its deals and writes it. */
const derive = (deals: readonly Deal[], options: Options = {}, currency = 'EUR') =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.derive', (tx) => {
    const { since = 0, live = null, server = 'd', accountNumber = desk.findAccount(client) ?? '' } = options
    const opened = openSource(tx, { platform: 'terminal5', server, since })
    const source = { ...opened, listened: options.listened ?? opened.listened }
    const tickets = listTickets(deals)
    return takeDerived(tx, source, { ...foldPosition(deals, 2), tickets, accountNumber, currency, decimals: 2, live })
  })
/** Reports a position as the bridge did before. */
const report = (row: object, sequence = 1) =>
  desk.post(
    '/v1/positions/sync',
    {
      platform: 'terminal5',
      server: 'd',
      sequence,
      mode: 'delta',
      positions: [
        {
          ticket: '7',
          accountNumber: desk.findAccount(client),
          symbol: 'EURUSD',
          side: 'long',
          openPrice: '1.1',
          currentPrice: '1.1',
          profit: '0',
          spread: '100',
          openedAt: at(1),
          ...row,
        },
      ],
    },
    firm.as.owner,
  )
const at = (hour: number): string => new Date(start + hour * HOUR).toISOString()
/** Returns a deal some hours after the start. */
const deal = (id: string, entry: Deal['entry'], lots: string, hour: number, rest: Partial<Deal> = {}): Deal => ({
  ...buildDeal(id, entry, lots, 0, rest),
  at: start + hour * HOUR,
})

/** Returns the position with a ticket, with its closings as texts of deal, lots, profit and commission. */
async function read(ticket = '7', server = 'd') {
  const { data } = (await app.call('GET', '/v1/positions?limit=200', { as: firm.as.viewer })).body
  const found = data.find((row: { ticket: string; server: string }) => row.ticket === ticket && row.server === server)
  if (!found) return null
  const { body } = await app.call('GET', `/v1/positions/${found.id}`, { as: firm.as.viewer })
  type Shown = { deal: string | null; lots: string; profit: string; commission: string; void: boolean }
  const texts = body.closings.map(
    (one: Shown) => `${one.deal} ${one.lots} ${one.profit} ${one.commission}${one.void ? ' void' : ''}`,
  )
  return { ...body, closings: texts.sort() }
}
const runToday = async () => {
  desk.tomorrow()
  return desk.run(desk.day(-1), desk.day())
}

const OPENED = () => deal('1', 'in', '2', 1, { commission: '-4', spread: '100' })
const CLOSED = () => deal('2', 'out', '0.5', 9, { profit: '10', price: '1.3' })
const REST = () => deal('3', 'out', '1.5', 12, { profit: '-6', price: '1.4' })

test('each leg is a ticket of its own, with its closings', async () => {
  const turn = deal('3', 'turn', '4', 12, { lotsClosed: '1.5', profit: '-6', commission: '-8', price: '1.4' })
  const live = { lots: parseLots('2.5'), currentPrice: '1.45', profit: '33.5', swap: '-0.1' }
  expect(await derive([OPENED(), CLOSED(), turn], { live })).toBe('written')
  expect(await read()).toMatchObject({
    traderId: client,
    side: 'long',
    status: 'closed',
    openedVolume: '2.00',
    closedVolume: '2.00',
    currentPrice: '1.4',
    profit: '4.00',
    commission: '-7.00',
    closedAt: at(12),
    closings: ['1-2 0.50 10.00 -1.00', '1-3 1.50 -6.00 -6.00'],
  })
  expect(await read('93')).toMatchObject({
    side: 'short',
    status: 'open',
    volume: '2.50',
    openPrice: '1.4',
    currentPrice: '1.45',
    profit: '33.50',
    swap: '-0.10',
    commission: '-5.00',
    openedAt: at(12),
    closings: [],
  })
  expect(firm.effects().events).toEqual(['position.opened', 'position.closed', 'position.opened'])
  await runToday()
  expect(short(await desk.lines())).toEqual(['1 trade 2.50', '1 trade 7.50'])
})

test('what does not change is not written and not told', async () => {
  const live = { lots: parseLots('1.5'), currentPrice: '1.2', profit: '5', swap: '0' }
  await derive([OPENED(), CLOSED()], { live })
  const before = await read()
  firm.effects()
  app.clock.advance(HOUR)
  expect(await derive([CLOSED(), OPENED(), CLOSED()], { live })).toBe('unchanged')
  // without a new state of the position the last one stays
  expect(await derive([CLOSED(), OPENED()])).toBe('unchanged')
  expect(await read()).toEqual(before)
  expect(await derive([CLOSED(), OPENED()], { live: { ...live, profit: '6' } })).toBe('written')
  expect(firm.effects().events).toEqual([])
  await derive([CLOSED(), OPENED()], { live, listened: true })
  await derive([CLOSED(), OPENED(), REST()])
  expect(firm.effects().events).toEqual(['position.updated', 'position.closed'])
})

test('a closing whose deal is cancelled becomes void, and is the same again when it holds again', async () => {
  await derive([OPENED(), CLOSED(), REST()])
  await runToday()
  firm.effects()
  await derive([OPENED(), { ...CLOSED(), cancelled: true }, REST()])
  expect(await read()).toMatchObject({
    status: 'open',
    volume: '0.50',
    closings: ['1-2 0.50 10.00 -1.00 void', '1-3 1.50 -6.00 -3.00'],
  })
  expect(firm.effects().events).toEqual(['position.corrected'])
  await runToday()
  expect(short(await desk.lines())).toEqual(['1 correction -2.50', '1 trade 2.50', '1 trade 7.50'])
  await derive([OPENED(), CLOSED(), REST()])
  expect(firm.effects().events).toEqual(['position.corrected', 'position.closed'])
  await runToday()
  expect(short(await desk.lines())).toEqual(['1 correction -2.50', '1 trade 2.50', '1 trade 2.50', '1 trade 7.50'])
  expect((await read())?.closings).toEqual(['1-2 0.50 10.00 -1.00', '1-3 1.50 -6.00 -3.00'])
})

test('an open position of which a closing is cancelled is corrected, not only updated', async () => {
  await derive([OPENED(), CLOSED()])
  firm.effects()
  await derive([OPENED(), { ...CLOSED(), cancelled: true }], { listened: true })
  expect(firm.effects().events).toEqual(['position.corrected'])
  expect(await read()).toMatchObject({ status: 'open', volume: '2.00', closedVolume: '0.00' })
})

test('a turn that is cancelled takes its leg back, and so does an opening', async () => {
  const turn = deal('3', 'turn', '4', 12, { lotsClosed: '2' })
  await derive([OPENED(), turn])
  firm.effects()
  await derive([OPENED(), { ...turn, cancelled: true }])
  expect(await read('93')).toMatchObject({
    status: 'closed',
    closedVolume: '0.00',
    openedVolume: '0.00',
    profit: '0.00',
  })
  expect(await read()).toMatchObject({ status: 'open', volume: '2.00', closings: ['1-3 2.00 0.00 -4.00 void'] })
  expect(firm.effects().events).toEqual(['position.corrected', 'position.closed'])
  const none = [OPENED(), turn].map((one) => ({ ...one, cancelled: true }))
  expect(await derive(none)).toBe('written')
  expect(await derive(none)).toBe('unchanged')
  expect(await read()).toMatchObject({ status: 'closed', closedVolume: '0.00' })
})

describe('a position that a bridge reported', () => {
  test('is derived anew, and its commission is paid once', async () => {
    await report({ volume: '2' })
    await report({ volume: '1.5', closedAt: at(12) }, 2)
    await runToday()
    expect(short(await desk.lines())).toEqual(['1 trade 7.50'])
    firm.effects()
    await derive([OPENED(), CLOSED(), REST()])
    expect(firm.effects().events).toEqual(['position.corrected'])
    expect((await read())?.closings).toEqual([
      '1-2 0.50 10.00 -1.00',
      '1-3 1.50 -6.00 -3.00',
      'null 1.50 0.00 0.00 void',
    ])
    await runToday()
    expect(short(await desk.lines())).toEqual(['1 correction -7.50', '1 trade 2.50', '1 trade 7.50', '1 trade 7.50'])
    expect(await derive([OPENED(), CLOSED(), REST()])).toBe('unchanged')
  })
  test('and that ended before deals became the truth stays as it was said', async () => {
    await report({ volume: '2', closedAt: at(12) })
    firm.effects()
    expect(await derive([OPENED(), CLOSED(), REST()], { since: start + 13 * HOUR })).toBe('unchanged')
    const none = [OPENED(), REST()].map((one) => ({ ...one, cancelled: true }))
    expect(await derive(none, { since: start + 13 * HOUR })).toBe('unchanged')
    expect((await read())?.closings).toEqual(['null 2.00 0.00 0.00'])
    expect(firm.effects().events).toEqual([])
  })
  test('keeps what it closed before deals became the truth, although its ticket went on', async () => {
    await report({ volume: '2' })
    await report({ volume: '1', side: 'short', openedAt: at(5) }, 2)
    const turn = deal('2', 'turn', '3', 5, { lotsClosed: '2' })
    expect(await derive([OPENED(), turn], { since: start + 6 * HOUR })).toBe('written')
    expect(await read()).toMatchObject({ side: 'long', status: 'closed', closings: ['null 2.00 0.00 0.00'] })
    expect(await read('92')).toMatchObject({ side: 'short', status: 'open', volume: '1.00', closings: [] })
    expect(await derive([OPENED(), turn], { since: start + 6 * HOUR })).toBe('unchanged')
  })
})

test('what was over before deals became the truth makes no event and earns nothing, until they do from earlier on', async () => {
  const since = start + 10 * HOUR
  await derive([OPENED(), CLOSED()], { since })
  expect(firm.effects().events).toEqual([])
  await derive([OPENED(), CLOSED(), REST()], { since })
  expect(firm.effects().events).toEqual(['position.closed'])
  expect(await runToday()).toMatchObject({ skipped: { assumed_closed: 1 } })
  expect(short(await desk.lines())).toEqual(['1 trade 7.50'])
  await derive([OPENED(), CLOSED(), REST()])
  await runToday()
  expect(short(await desk.lines())).toEqual(['1 trade 2.50', '1 trade 7.50'])
})

test('a position whose login nobody owns gets its client and amounts once the account is linked', async () => {
  const fee = { commission: '-0.05' }
  await derive([deal('1', 'in', '2', 1, fee), CLOSED()], { accountNumber: '900' })
  expect(await read()).toMatchObject({ traderId: null, currency: null, closings: ['1-2 0.50 10.00 -0.01'] })
  const body = { traderId: client, platform: 'terminal5', currency: 'EUR', accountNumber: '900' }
  await desk.post('/v1/accounts', body, firm.as.operator)
  expect(await read()).toMatchObject({ traderId: client, currency: 'EUR', closings: ['1-2 0.50 10.00 -0.01'] })
  expect(await derive([deal('1', 'in', '2', 1, fee), CLOSED()], { accountNumber: '900' })).toBe('unchanged')
})

test('nothing is written in another currency than the account’s, nor what is too large', async () => {
  expect(await derive([OPENED()], {}, 'USD')).toBe('currency_differs')
  expect(await derive([deal('1', 'in', '99999999999', 1)])).toBe('too_large')
  expect(await derive([OPENED(), deal('2', 'out', '1', 2, { profit: '999999999999999999' })])).toBe('too_large')
  expect(await read()).toBeNull()
})

test('an impossible position pays nothing, and shows what the platform has open', async () => {
  await derive([OPENED(), CLOSED(), REST()])
  const live = { lots: parseLots('3'), currentPrice: '1.2', profit: '1', swap: '0' }
  expect(await derive([{ ...OPENED(), lots: '1' }, CLOSED(), REST()], { live })).toBe('written')
  expect(await read()).toMatchObject({
    status: 'open',
    volume: '3.00',
    closings: ['1-2 0.50 10.00 -1.00 void', '1-3 1.50 -6.00 -3.00 void'],
  })
  await runToday()
  expect(await desk.lines()).toEqual([])
})

test('random traders: whatever was written before, a derivation is written as if it were the first', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const any = createSeededRandom(seed)
    const trader = new Trader(any, seed % 3 > 0)
    trader.trade(12)
    const numbers = [...trader.positions.keys()].slice(0, 3)
    for (const number of numbers) {
      const own = trader.deals
        .filter(({ position }) => (trader.renumbered.get(position ?? '') ?? position) === number)
        .map((one) => ({ ...one, at: start + one.at }))
      // orders of earlier attempts are known too, since deals are never deleted
      for (let attempt = 0; attempt < 4; attempt += 1)
        await derive(
          own.map((one) => (any(4) === 0 ? { ...one, cancelled: true } : one)),
          { server: `tried${seed}` },
        )
      await derive(own, { server: `tried${seed}` })
      await derive(own, { server: `fresh${seed}` })
      expect(await derive(own, { server: `tried${seed}` })).toBe('unchanged')
      for (const { ticket } of foldPosition(own, 2).legs) {
        const [tried, fresh] = [await read(ticket, `tried${seed}`), await read(ticket, `fresh${seed}`)]
        const place = { id: '', server: '', version: 0, createdAt: '', updatedAt: '', closingsTotal: 0 }
        const strip = (row: typeof tried) => {
          const holding = row?.closings.filter((text: string) => !text.endsWith('void'))
          return { ...row, ...place, closings: holding }
        }
        const isOpen = fresh?.status === 'open'
        // what floats is the last that the platform said
        const floating = isOpen ? { currentPrice: '', profit: '', swap: '' } : {}
        expect({ ...strip(tried), ...floating }).toEqual({ ...strip(fresh), ...floating })
      }
    }
  }
})
