/**
 * Returns an open position as a bridge reports it: 0.10 lots of EURUSD on account 7001, unless `extra` says otherwise.
 */
export const reportPosition = (ticket: unknown, extra: object = {}) => ({
  ticket,
  accountNumber: '7001',
  symbol: 'EURUSD',
  side: 'long',
  volume: '0.10',
  openPrice: '1.1001',
  currentPrice: '1.1010',
  profit: '125',
  openedAt: '2026-01-10T09:00:00Z',
  ...extra,
})
