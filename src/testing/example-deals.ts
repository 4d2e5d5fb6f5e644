import type { Deal } from '../modules/terminals/contract/terminal.ts'
import { HOUR } from '../platform/clock.ts'

/** Returns a deal of position 7 for tests, which is opened long, made at a full hour. */
export const buildDeal = (
  id: string,
  entry: Deal['entry'],
  lots: string,
  hour: number,
  rest: Partial<Deal> = {},
): Deal => ({
  id,
  login: '500123',
  at: hour * HOUR,
  kind: 'trade',
  action: 0,
  entry,
  position: '7',
  order: entry === 'in' ? '7' : `9${id}`,
  symbol: 'EURUSD',
  side: entry === 'in' ? 'long' : 'short',
  lots,
  lotsClosed: null,
  price: '1.1',
  profit: '0',
  swap: '0',
  commission: '0',
  fee: '0',
  spread: null,
  technical: false,
  reason: 'client',
  comment: '',
  flags: [],
  cancelled: false,
  ...rest,
})

/** What a deal of a rollover says besides. */
export const ROLLOVER = { technical: true, reason: 'rollover' }
