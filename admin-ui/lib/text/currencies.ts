const USUAL = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'AUD', 'CAD', 'AED', 'ZAR', 'USDT', 'USDC', 'BTC', 'ETH']

/**
 * The currency codes to offer: the usual ones first, then every other that the browser knows. The server decides which
 * ones it accepts.
 */
export const CURRENCIES: readonly string[] = [
  ...new Set([
    ...USUAL,
    'LTC',
    'XRP',
    'SOL',
    'BNB',
    'TRX',
    'DOGE',
    'USC',
    'EUC',
    ...Intl.supportedValuesOf('currency'),
  ]),
]

export const CURRENCY_OPTIONS = CURRENCIES.map((value) => ({ value, label: value }))
