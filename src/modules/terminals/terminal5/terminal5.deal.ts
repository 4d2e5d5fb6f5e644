import { TerminalFault } from '../contract/fault.ts'
import { DEAL_ENTRIES, type Deal } from '../contract/terminal.ts'
import {
  findDecimal,
  findInteger,
  findNumber,
  type Row,
  readDecimal,
  readInteger,
  readLink,
  readNumber,
  readText,
} from './terminal5.answers.ts'
import { computeSpread, readLots } from './terminal5.lots.ts'
import { readMoment, type ToMoment } from './terminal5.rows.ts'

/** The kinds of the actions by their number. 13 and 14 were trades, and are cancelled. */
const KINDS: readonly Deal['kind'][] = [
  'trade',
  'trade',
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
  'trade',
  'trade',
  'cost',
  'cost',
  'cost',
  'agent',
  'compensation',
  'credit_compensation',
]
const CANCELLED = new Set([13, 14])
const LONG = new Set([0, 13])
const MOST_ACTION = 1000

/** The reasons by their number, and whether lots of it were neither opened nor closed by anybody. */
const REASONS: readonly (readonly [words: string, isTechnical: boolean])[] = [
  ['client', false],
  ['expert', false],
  ['dealer', false],
  ['stop_loss', false],
  ['take_profit', false],
  ['stop_out', false],
  ['rollover', true],
  ['external_client', false],
  ['variation_margin', true],
  ['gateway', false],
  ['signal', false],
  ['settlement', true],
  ['transfer', true],
  ['synchronization', true],
  ['external_service', true],
  ['migration', true],
  ['mobile', false],
  ['web', false],
  ['split', true],
  ['corporate_action', true],
]
const MOST_REASON = 1000

/** Who changed a deal, by the bits of its flags. */
const FLAGS: readonly (readonly [bit: number, words: string])[] = [
  [0x1, 'administrator'],
  [0x2, 'manager'],
  [0x4, 'inherited'],
  [0x8, 'restored'],
  [0x10, 'administrator_api'],
  [0x20, 'manager_api'],
  [0x40, 'server_api'],
  [0x80, 'gateway_api'],
]

function readFlags(row: Row): string[] {
  const bits = findInteger(row, 'ModificationFlags') ?? 0
  const named = FLAGS.filter(([bit]) => Math.floor(bits / bit) % 2 === 1)
  const rest = bits - named.reduce((sum, [bit]) => sum + bit, 0)
  return [...named.map(([, words]) => words), ...(rest === 0 ? [] : [`0x${rest.toString(16)}`])]
}

const refuse = (field: string, id: string): TerminalFault =>
  new TerminalFault('not_an_answer', { reason: 'field', field, deal: id }, true)

function readEntry(row: Row, id: string): Deal['entry'] {
  const entry = DEAL_ENTRIES[readInteger(row, 'Entry', 255)]
  if (entry === undefined) throw refuse('Entry', id)
  return entry
}

/** Returns the lots of a deal; zero for what is no trade and has none. */
function readVolume(row: Row, isTrade: boolean, id: string): string {
  const lots = readLots(findNumber(row, 'VolumeExt'), findNumber(row, 'Volume'))
  if (lots === undefined && isTrade) throw refuse('Volume', id)
  return lots ?? '0'
}

function readClosed(row: Row, entry: Deal['entry'], id: string): string | null {
  if (entry !== 'turn') return null
  const lots = readLots(findNumber(row, 'VolumeClosedExt'), findNumber(row, 'VolumeClosed'))
  if (lots === undefined) throw refuse('VolumeClosed', id)
  return lots
}

type Trade = Pick<Deal, 'entry' | 'side' | 'lots' | 'lotsClosed' | 'price' | 'spread'>

function readTrade(row: Row, action: number, id: string): Trade {
  const isTrade = KINDS[action] === 'trade'
  const lots = readVolume(row, isTrade, id)
  if (!isTrade) return { entry: null, side: null, lots, lotsClosed: null, price: null, spread: null }
  const entry = readEntry(row, id)
  const lotsClosed = readClosed(row, entry, id)
  const price = readDecimal(row, 'Price')
  const market = { bid: findDecimal(row, 'MarketBid'), ask: findDecimal(row, 'MarketAsk') }
  const scales = { contract: findDecimal(row, 'ContractSize'), rate: findDecimal(row, 'RateProfit') }
  const opens = entry === 'in' || entry === 'turn'
  const spread = opens ? computeSpread({ price, lots, lotsClosed, ...market, ...scales }) : null
  return { entry, side: LONG.has(action) ? 'long' : 'short', lots, lotsClosed, price, spread }
}

const MOST_SYMBOL = 64

/** Reads a deal. A kind that nobody knows yet is a correction, so that a person looks at it. */
export function readDeal(row: Row, toMoment: ToMoment): Deal {
  const id = readNumber(row, 'Deal')
  const action = readInteger(row, 'Action', MOST_ACTION)
  const reason = findInteger(row, 'Reason') ?? 0
  const [words, technical] = REASONS[reason] ?? [String(Math.min(reason, MOST_REASON)), false]
  const symbol = readText(row, 'Symbol', MOST_SYMBOL)
  return {
    id,
    login: readNumber(row, 'Login'),
    at: readMoment(row, 'Time', toMoment),
    kind: KINDS[action] ?? 'correction',
    action,
    ...readTrade(row, action, id),
    position: readLink(row, 'PositionID'),
    order: readLink(row, 'Order'),
    symbol: symbol === '' ? null : symbol,
    profit: readDecimal(row, 'Profit'),
    swap: readDecimal(row, 'Storage'),
    commission: readDecimal(row, 'Commission'),
    fee: findDecimal(row, 'Fee') ?? '0',
    technical,
    reason: words,
    comment: readText(row, 'Comment'),
    flags: readFlags(row),
    cancelled: CANCELLED.has(action),
  }
}
