import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { TerminalFault } from '../contract/fault.ts'
import { Deal, OpenPosition, State } from '../contract/terminal.ts'
import { cleanText, findDecimal, readAnswer, readRows } from './terminal5.answers.ts'
import { readDeal } from './terminal5.deal.ts'
import { computeSpread, readLots } from './terminal5.lots.ts'
import { packMasks } from './terminal5.reader.ts'
import { readPosition, readState } from './terminal5.rows.ts'

const read = (text: string) => readAnswer(Buffer.from(text))
const toMoment = (local: number): number => local - 7_200_000
const rowIn = (text: string) => {
  const [row] = readRows(read(`{"retcode":"0 Done","answer":[${text}]}`).answer)
  if (row === undefined) throw new Error('no row')
  return row
}

const TRADE = `{"Deal":"9104418","Login":"500123","Order":"8800017","Action":"1","Entry":"2","Symbol":"EURUSD.m!",
  "Price":"1.08423","Time":"1795615200","TimeMsc":"1795615200412","Volume":"50000","VolumeExt":"500000000",
  "VolumeClosed":"20000","Profit":"-8.00","Storage":"0.00","Commission":"-10.00","PositionID":"8800001","Reason":"16",
  "Comment":"","ContractSize":"100000.00","RateProfit":"1.00000000","MarketBid":"1.08421","MarketAsk":"1.08423",
  "ModificationFlags":"258"}`
const without = (text: string, ...names: string[]): string =>
  names.reduce((left, name) => left.replace(new RegExp(`\\s*"${name}":"[^"]*",?`), ''), text)

describe('numbers', () => {
  test('a number is the same text with quotes and without', () => {
    const digits = '"([-0-9.]+)"'
    const plain = TRADE.replace(new RegExp(digits, 'g'), '$1')
    expect(plain).toContain('"Profit":-8.00')
    expect(readDeal(rowIn(plain), toMoment)).toEqual(readDeal(rowIn(TRADE), toMoment))
    const big = rowIn('{"a":123456789012345678901234.123456789012,"b":0.1,"c":1.10}')
    expect(big).toEqual({ a: '123456789012345678901234.123456789012', b: '0.1', c: '1.10' })
  })

  test.each(['1e5', 'NaN', 'Infinity', '+1', '.5', '1.', '0x10', '1,5', ' 1', '1'.repeat(25), `0.${'1'.repeat(13)}`])(
    '%s is no decimal number',
    (text) => {
      expect(() => findDecimal({ a: text }, 'a')).toThrow(TerminalFault)
    },
  )

  test('what is missing or empty is absent', () => {
    for (const row of [{}, { a: null }, { a: '' }]) expect(findDecimal(row, 'a')).toBeUndefined()
    expect(() => findDecimal({ a: true }, 'a')).toThrow(TerminalFault)
    expect(() => findDecimal({ a: [] }, 'a')).toThrow(TerminalFault)
  })

  test('digits without end are refused quickly', () => {
    const digits = '9'.repeat(2_000_000)
    expect(() => readDeal(rowIn(TRADE.replace('"-8.00"', digits)), toMoment)).toThrow(TerminalFault)
    expect(() => read(`{"retcode":${digits}}`)).toThrow(TerminalFault)
  })
})

test('a row is read that stands without its list', () => {
  expect(readRows(read('{"retcode":"0","answer":{"Login":1}}').answer)).toEqual([{ Login: '1' }])
  expect(read('{"retcode":0}')).toMatchObject({ code: 0, text: '' })
})

test('texts are cleaned of what cannot be printed, and cut between letters', () => {
  expect(cleanText('a\u0000b\nc\u202ed\ud800e')).toBe('a b c d\ufffde')
  expect(cleanText('😀😀', 3)).toBe('😀')
  expect(cleanText('x'.repeat(1000))).toHaveLength(300)
})

test('lots come from the newer field, or from the older one', () => {
  expect(readLots('500000000', '50000')).toBe('5')
  expect(readLots('1', undefined)).toBe('0.00000001')
  expect(readLots(undefined, '1')).toBe('0.0001')
  expect(readLots('0', '1000')).toBe('0.1')
  expect(readLots(undefined, undefined)).toBeUndefined()
})

describe('a deal', () => {
  test('that turned a position has what it closed, and the spread of what it opened', () => {
    const deal = readDeal(rowIn(TRADE), toMoment)
    expect(deal).toEqual({
      id: '9104418',
      login: '500123',
      at: 1_795_608_000_412,
      kind: 'trade',
      action: 1,
      entry: 'turn',
      position: '8800001',
      order: '8800017',
      symbol: 'EURUSD.m!',
      side: 'short',
      lots: '5',
      lotsClosed: '2',
      price: '1.08423',
      profit: '-8.00',
      swap: '0.00',
      commission: '-10.00',
      fee: '0',
      spread: '3',
      technical: false,
      reason: 'mobile',
      comment: '',
      flags: ['manager', '0x100'],
      cancelled: false,
    })
    expect(Value.Check(Deal, deal)).toBe(true)
  })

  test('of an old build is the same but for its spread', () => {
    const old = without(TRADE, 'VolumeExt', 'TimeMsc', 'MarketBid', 'MarketAsk')
    const { spread, at, ...rest } = readDeal(rowIn(old), toMoment)
    expect([spread, at]).toEqual([null, 1_795_608_000_000])
    expect(readDeal(rowIn(TRADE), toMoment)).toMatchObject(rest)
  })

  test('without an amount is none, and neither is one that does not say what it closed', () => {
    for (const name of ['Profit', 'Storage', 'Commission', 'Price', 'Login', 'Time', 'VolumeClosed'])
      expect(() => readDeal(rowIn(without(TRADE, 'TimeMsc', name)), toMoment)).toThrow(TerminalFault)
    expect(() => readDeal(rowIn(without(TRADE, 'Volume', 'VolumeExt')), toMoment)).toThrow(TerminalFault)
    expect(() => readDeal(rowIn(TRADE.replace('"Entry":"2"', '"Entry":"4"')), toMoment)).toThrow(TerminalFault)
  })

  test('of a price below zero and of the least volume is taken', () => {
    const row = rowIn(
      TRADE.replace('1.08423', '-37.63')
        .replace('500000000', '1')
        .replace('EURUSD.m!', () => 'WTI $&^()@'),
    )
    const deal = readDeal(row, toMoment)
    expect(deal).toMatchObject({ price: '-37.63', lots: '0.00000001', symbol: 'WTI $&^()@' })
    expect(Value.Check(Deal, deal)).toBe(true)
  })

  test('of each action and reason is what the contract says', () => {
    const kinds = Array.from({ length: 22 }, (_, action) => {
      const { kind, cancelled, side } = readDeal(rowIn(TRADE.replace('"Action":"1"', `"Action":"${action}"`)), toMoment)
      return `${kind} ${side ?? ''}${cancelled ? ' cancelled' : ''}`.trim()
    })
    expect(kinds).toEqual([
      'trade long',
      'trade short',
      'balance',
      'credit',
      'charge',
      'correction',
      'bonus',
      'cost',
      'cost',
      'cost',
      'agent',
      'agent',
      'cost',
      'trade long cancelled',
      'trade short cancelled',
      'cost',
      'cost',
      'cost',
      'agent',
      'compensation',
      'credit_compensation',
      'correction',
    ])
    const technical = Array.from({ length: 25 }, (_, reason) => reason).filter(
      (reason) => readDeal(rowIn(TRADE.replace('"Reason":"16"', `"Reason":"${reason}"`)), toMoment).technical,
    )
    expect(technical).toEqual([6, 8, 11, 12, 13, 14, 15, 18, 19])
  })
})

test('the spread is exact, and unknown where anything of it is', () => {
  const opening = {
    price: '1.1',
    bid: '1.0',
    ask: '1.1',
    lots: '0.01',
    lotsClosed: null,
    contract: '100000',
    rate: '1.5',
  }
  expect(computeSpread(opening)).toBe('75')
  expect(computeSpread({ ...opening, lots: '0.00000001', contract: '1', rate: '0.333333333333' })).toBe('0')
  for (const name of ['bid', 'ask', 'contract', 'rate'] as const) {
    expect(computeSpread({ ...opening, [name]: undefined })).toBeNull()
    expect(computeSpread({ ...opening, [name]: '0.00' })).toBeNull()
  }
})

test('a position is read', () => {
  const position = readPosition(
    rowIn(`{"Position":"8800017","Login":"500123","Symbol":"EURUSD","Action":"0","Volume":"3000","PriceOpen":"1.1",
      "PriceCurrent":"1.2","Profit":"5.00","Storage":"-0.10","TimeCreate":"1795615200"}`),
    toMoment,
  )
  expect(position).toMatchObject({ ticket: '8800017', side: 'long', lots: '0.3', openedAt: 1_795_608_000_000 })
  expect(Value.Check(OpenPosition, position)).toBe(true)
})

describe('a login', () => {
  const user =
    rowIn(`{"Login":"500123","Group":"real\\\\usd","Rights":"487","Leverage":"100","Registration":"1795615200",
    "Comment":"","Balance":"100.00","Credit":"20.00"}`)
  const states = (account?: Record<string, string>) => {
    const { equity, marginFree } = readState(user, account, toMoment)
    return [equity, marginFree]
  }

  test('has its rights by their bits', () => {
    const state = readState(user, undefined, toMoment)
    expect(state).toMatchObject({ group: 'real\\usd', mayTrade: false, maySignIn: true, balance: '100.00' })
    expect(Value.Check(State, state)).toBe(true)
  })

  test('whose trade state is missing, or only zeros, has no equity, which is not zero', () => {
    expect(states()).toEqual([null, null])
    expect(states({ Balance: '0.00', Credit: '0.00', Equity: '0.00', MarginFree: '0.00' })).toEqual([null, null])
    expect(states({ Balance: '100.00', Credit: '20.00', Equity: '0.00', MarginFree: '-5.00' })).toEqual([
      '0.00',
      '-5.00',
    ])
  })
})

test('masks are joined as far as they fit, each with what is left out', () => {
  expect(packMasks(['real*', 'vip*', '!real-test*'])).toEqual(['real*,vip*,!real-test*'])
  expect(packMasks([])).toEqual([])
  const long = Array.from({ length: 10 }, (_, n) => `${String(n).repeat(40)}*`)
  const packs = packMasks([...long, '!x'])
  expect(packs.every((pack) => pack.length <= 127 && pack.endsWith(',!x'))).toBe(true)
  expect(
    packs
      .join(',')
      .split(',')
      .filter((mask) => mask !== '!x'),
  ).toEqual(long)
})
