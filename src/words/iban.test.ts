import { expect, test } from 'bun:test'
import { checkIban } from './iban.ts'

const valid = (country: string) => ({ state: 'valid' as const, country })
const wrong = (country: string) => ({ state: 'wrong' as const, country })

test.each([
  ['OM81 0180 0000 0129 9123 456', valid('OM')],
  ['om81-0180-0000-0129-9123-456', valid('OM')],
  ['OM820180000001299123456', wrong('OM')],
  ['OM81018000000129912345', wrong('OM')],
  ['RU0304452522540817810538091310419', valid('RU')],
  ['CY17002001280000001200527600', valid('CY')],
  ['CY17002001280000001200527600AAAA', wrong('CY')],
  ['ES1721000418450200100000', valid('ES')],
  ['BI4210000100010000332045181', valid('BI')],
  ['DJ2100010000000154000100186', valid('DJ')],
  ['FK88SC123456789012', valid('FK')],
  ['HN88CABF00000000000250005469', valid('HN')],
  ['MN121234123456789123', valid('MN')],
  ['NI45BAPR00000013000003558124', valid('NI')],
  ['SD2129010501234001', valid('SD')],
  ['SO211000001001000100141', valid('SO')],
  ['YE15CBYE0001018861234567891234', valid('YE')],
  ['FK89SC123456789012', wrong('FK')],
  ['IBAN GB29 NWBK 6016 1331 9268 19', valid('GB')],
  ['IBAN: GB29NWBK60161331926819 BIC NWBKGB2L', valid('GB')],
  ['GB29NWBK60161331926819 (Revolut)', valid('GB')],
  ['GB29\u200bNWBK60161331926819\ufeff', valid('GB')],
  ['ＧＢ２９ＮＷＢＫ６０１６１３３１９２６８１９', valid('GB')],
  ['IBAN GB28 NWBK 6016 1331 9268 19', wrong('GB')],
])('checkIban says whether %s is a valid IBAN, a wrong one or none', (reference, finding) =>
  expect(checkIban(reference)).toEqual(finding),
)

test.each(['IBAN 1', 'CY17', 'US64SVBKUS6S3300958879', 'AO06004400006729503010102', ''])(
  'checkIban finds no IBAN of the registry in “%s”',
  (reference) => expect(checkIban(reference)).toEqual({ state: 'none' }),
)
