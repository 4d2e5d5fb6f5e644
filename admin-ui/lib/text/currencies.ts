const USUAL = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'AUD', 'CAD', 'AED', 'ZAR', 'USDT', 'USDC', 'BTC', 'ETH']

/**
 * Currency codes to offer: the usual ones first, then every other
 * that the browser knows. The server decides what it keeps books in.
 */
export const CURRENCIES: readonly string[] = [
  ...new Set([...USUAL, 'LTC', 'XRP', ...Intl.supportedValuesOf('currency')]),
]

export const CURRENCY_OPTIONS = CURRENCIES.map((value) => ({ value, label: value }))
