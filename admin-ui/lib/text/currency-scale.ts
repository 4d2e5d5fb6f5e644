// The server uses the same decimals, which a test compares. Every other code has two, or is refused there.
const OTHER_SCALES: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  6: 'TRX USDC USDT XRP',
  8: 'BNB BTC DOGE ETH LTC SOL',
}
const scales = new Map(
  Object.entries(OTHER_SCALES).flatMap(([scale, codes]) => codes.split(' ').map((code) => [code, Number(scale)])),
)

/** Returns the number of decimals of a currency; null while none is chosen. */
export const findScale = (currency: string | undefined): number | null =>
  currency !== undefined && currency.length >= 3 ? (scales.get(currency) ?? 2) : null
