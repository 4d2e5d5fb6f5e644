import { describe, expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { buildDeal, ROLLOVER } from '../../../testing/example-deals.ts'
import { formatLots } from '../../books/positions/lots.ts'
import type { Deal } from '../contract/terminal.ts'
import { foldPosition, listTickets } from './fold.ts'
import { findEarlierNumbers } from './renumbered.ts'

/** Returns each closing as `key lots opened-closed profit commission`. */
const showClosings = (deals: Deal[]): string[] =>
  foldPosition(deals, 2).closings.map(
    ({ key, lots, openedAt, closedAt, profit, commission }) =>
      `${key} ${formatLots(lots)} ${openedAt / HOUR}-${closedAt / HOUR} ${profit} ${commission}`,
  )
/** Returns each leg as `ticket side opened closed lost since-until`. */
const showLegs = (deals: Deal[]): string[] =>
  foldPosition(deals, 2).legs.map(
    ({ ticket, side, openedLots, closedLots, lostLots, openedAt, closedAt }) =>
      `${ticket} ${side} ${[openedLots, closedLots, lostLots].map(formatLots).join(' ')} ${openedAt / HOUR}-${
        closedAt === null ? 'open' : closedAt / HOUR
      }`,
  )

const NETTING = [
  buildDeal('1', 'in', '1', 10, { commission: '-2.00', price: '1.1' }),
  buildDeal('2', 'in', '3', 11, { commission: '-6.00', price: '1.2' }),
  buildDeal('3', 'out', '2', 12, { profit: '30.00', commission: '-4.00' }),
  buildDeal('4', 'turn', '5', 13, { lotsClosed: '2', profit: '-8.00', commission: '-10.00', price: '1.3' }),
]

describe('adds, a reduction and a turn in netting', () => {
  test('are closed first in, first out, with shares of the amounts of both deals', () => {
    expect(showClosings(NETTING)).toEqual([
      '1-3 1.00 10-12 1500 -400',
      '2-3 1.00 11-12 1500 -400',
      '2-4 2.00 11-13 -800 -800',
    ])
  })
  test('leave the next leg open under the order of the turn, with its share of the commission', () => {
    expect(showLegs(NETTING)).toEqual(['7 long 4.00 4.00 0.00 10-13', '94 short 3.00 0.00 0.00 13-open'])
    const { legs } = foldPosition(NETTING, 2)
    expect(legs.map(({ waiting }) => waiting.commission)).toEqual([0n, -600n])
    expect(legs.map(({ openPrice }) => openPrice)).toEqual(['1.175', '1.3'])
    expect(legs.map(({ lastPrice }) => lastPrice)).toEqual(['1.3', '1.3'])
  })
  test('had the tickets that the legs have, and still names that of a turn which is cancelled', () => {
    const turn = buildDeal('5', 'turn', '9', 14, { cancelled: true })
    expect(listTickets([...NETTING, turn])).toEqual(['7', '94', '95'])
  })
})

test('an average price is rounded to ten places, half to even, and may be below zero', () => {
  const readPrice = (...prices: [lots: string, price: string][]) =>
    foldPosition(
      prices.map(([lots, price], index) => buildDeal(String(index), 'in', lots, index, { price })),
      2,
    ).legs[0]?.openPrice
  expect(readPrice(['1', '1'], ['2', '2'])).toBe('1.6666666667')
  expect(readPrice(['1', '-37.63'], ['1', '-37.64'])).toBe('-37.635')
  expect(readPrice(['1', '0.0000000001'], ['1', '0.0000000002'])).toBe('0.0000000002')
  expect(readPrice(['1', '5.10'])).toBe('5.1')
})

test('amounts are rounded once a deal, half to even, and shares toward zero with the rest for the last', () => {
  const deals = [
    buildDeal('1', 'in', '1', 1, { commission: '-0.05', fee: '-0.055', swap: '0.01', profit: '-0.02' }),
    buildDeal('2', 'out', '0.33', 2, { profit: '0.105' }),
    buildDeal('3', 'by', '0.33', 3),
    buildDeal('4', 'out', '0.34', 4),
  ]
  expect(showClosings(deals)).toEqual(['1-2 0.33 1-2 10 -3', '1-3 0.33 1-3 0 -3', '1-4 0.34 1-4 -2 -4'])
  expect(foldPosition(deals, 2).closings.map(({ swap }) => swap)).toEqual([0n, 0n, 1n])
})

test('amounts of deals without lots wait with the lots that are open, and without any stay with the leg', () => {
  const charged = buildDeal('9', 'out', '0', 3, { swap: '-1' })
  const deals = [buildDeal('1', 'in', '1', 1), buildDeal('2', 'out', '1', 4), charged]
  expect(foldPosition(deals, 2).closings.map(({ swap }) => swap)).toEqual([-100n])
  const later = foldPosition([...deals.slice(0, 2), { ...charged, at: 5 * HOUR }], 2)
  expect(later.closings.map(({ swap }) => swap)).toEqual([0n])
  expect(later.legs.map(({ waiting, closedAt }) => [waiting.swap, closedAt])).toEqual([[-100n, 4 * HOUR]])
})

test('a spread is that of the opening deals, and unknown where one of them does not say it', () => {
  const deals = [
    buildDeal('1', 'in', '1', 1, { spread: '1.00' }),
    buildDeal('2', 'in', '1', 2),
    buildDeal('3', 'out', '0.5', 3, { spread: '9.00' }),
    buildDeal('4', 'out', '1', 4),
  ]
  const { closings, legs } = foldPosition(deals, 2)
  expect(closings.map(({ spread }) => spread)).toEqual([50n, 50n, null])
  expect(legs.map(({ waiting }) => waiting.spread)).toEqual([null])
})

describe('what cannot be', () => {
  const shown = { profit: 0n, swap: 0n, commission: -500n, spread: null }
  test.each<[what: string, deals: Deal[]]>([
    ['more closed than opened', [buildDeal('1', 'in', '1', 1), buildDeal('2', 'out', '2', 2, { commission: '-5' })]],
    [
      'a turn that leaves lots open',
      [buildDeal('1', 'in', '2', 1), buildDeal('2', 'turn', '5', 2, { lotsClosed: '1', commission: '-5' })],
    ],
    [
      'an opening that is cancelled',
      [buildDeal('1', 'in', '1', 1, { cancelled: true }), buildDeal('2', 'out', '1', 2, { commission: '-5' })],
    ],
    [
      'an opening of the other side',
      [buildDeal('1', 'in', '1', 1), buildDeal('2', 'in', '1', 2, { side: 'short', commission: '-5' })],
    ],
  ])('%s has no closings, and its amounts wait', (_, deals) => {
    const { closings, impossible, legs } = foldPosition(deals, 2)
    expect({ closings, impossible }).toEqual({ closings: [], impossible: true })
    const sum = legs.reduce((all, { waiting }) => all + waiting.commission, 0n)
    expect(sum).toBe(shown.commission)
    for (const { openedLots, closedLots } of legs) expect(closedLots <= openedLots).toBe(true)
  })
})

describe('a technical deal', () => {
  const opened = buildDeal('1', 'in', '2', 1, { commission: '-2' })
  const out = buildDeal('2', 'out', '2', 5, { ...ROLLOVER, profit: '3', swap: '-1' })
  const isBack = (position: string, lots = '2') =>
    buildDeal('3', 'in', lots, 5, { ...ROLLOVER, position, order: position })

  test('that closes and reopens leaves the position as it was, and its amounts wait with the lots', () => {
    for (const position of ['7', '8']) {
      const deals = [opened, out, isBack(position), buildDeal('4', 'out', '1', 9, { position })]
      expect(showLegs(deals)).toEqual(['7 long 2.00 1.00 0.00 1-open'])
      expect(showClosings(deals)).toEqual(['1-4 1.00 1-9 150 -100'])
      const { waiting, otherTickets } = foldPosition(deals, 2).legs[0] ?? {}
      expect({ waiting, otherTickets }).toEqual({
        waiting: { profit: 150n, swap: -50n, commission: -100n, spread: null },
        otherTickets: position === '7' ? [] : ['8'],
      })
    }
  })
  test('that takes out for good ends the position without a closing', () => {
    expect(showLegs([opened, out])).toEqual(['7 long 2.00 0.00 2.00 1-5'])
    expect(showClosings([opened, out])).toEqual([])
  })
  test('of a split changes how many lots can be closed, since the first opening', () => {
    const split = [opened, out, isBack('7', '5'), buildDeal('4', 'out', '5', 9)]
    expect(showClosings(split)).toEqual(['1-4 2.00 1-9 300 -200', '3-4 3.00 1-9 0 0'])
    const joined = [opened, out, isBack('7', '1'), buildDeal('4', 'out', '1', 9)]
    expect(showLegs(joined)).toEqual(['7 long 2.00 1.00 1.00 1-9'])
    expect(foldPosition([...joined, buildDeal('5', 'out', '1', 9)], 2).impossible).toBe(true)
  })
  test('that brings a position from another server opens it', () => {
    expect(showClosings([isBack('7'), buildDeal('4', 'out', '2', 9)])).toEqual(['3-4 2.00 5-9 0 0'])
  })
})

describe('numbers under which a position goes on', () => {
  const out = (id: string, position: string, hour: number, rest: Partial<Deal> = {}) =>
    buildDeal(id, 'out', '1', hour, { ...ROLLOVER, position, ...rest })
  const into = (id: string, position: string, hour: number, rest: Partial<Deal> = {}) =>
    buildDeal(id, 'in', '1', hour, { ...ROLLOVER, position, order: position, ...rest })
  test('are found by reason, symbol, side and lots, night after night', () => {
    const deals = [
      out('1', '7', 1),
      out('2', '8', 1),
      into('3', '70', 1),
      into('4', '80', 2),
      out('5', '70', 25),
      into('6', '700', 25),
    ]
    expect([...findEarlierNumbers(deals.toReversed())]).toEqual([
      ['70', '7'],
      ['80', '8'],
      ['700', '7'],
    ])
  })
  test.each<[what: string, Partial<Deal>]>([
    ['another login', { login: '1' }],
    ['another reason', { reason: 'split' }],
    ['another symbol', { symbol: 'GBPUSD' }],
    ['the other side', { side: 'short' }],
    ['other lots', { lots: '2' }],
    ['a number that was there before', { order: '71' }],
    ['more than a day later', { at: 26 * HOUR }],
  ])('are none for %s', (_, rest) => {
    expect([...findEarlierNumbers([out('1', '7', 1), into('2', '70', 1, rest)])]).toEqual([])
  })
  test('are found in the order of a split, whatever lots it makes', () => {
    const split = { reason: 'split' }
    const deals = [
      out('1', '7', 1, split),
      out('2', '8', 1, { ...split, lots: '3' }),
      into('3', '70', 1, { ...split, lots: '2' }),
      into('4', '80', 1, { ...split, lots: '6' }),
    ]
    expect([...findEarlierNumbers(deals)]).toEqual([
      ['70', '7'],
      ['80', '8'],
    ])
  })
  test('are none where the number stayed', () => {
    const deals = [out('1', '7', 1), into('2', '7', 1, { order: '71' }), into('3', '80', 1)]
    expect([...findEarlierNumbers(deals)]).toEqual([])
  })
})
