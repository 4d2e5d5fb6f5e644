import { expect, test } from 'bun:test'
import { readCountryName } from './country-names.ts'

test.each([
  [
    'GB',
    'UK|uk|U.K.|Great Britain|England|United Kingdom of Great Britain and Northern Ireland|GBR|Vereinigtes Königreich',
  ],
  ['AE', 'UAE|United Arab Emirates|Vereinigte Arabische Emirate'],
  ['TR', 'Turkey|Türkiye|TUR|Türkei'],
  ['CZ', 'Czech Republic|Czechia|Tschechien'],
  ['HK', 'Hong Kong|Hong Kong SAR China|HK'],
  ['MO', 'Macau|Macao'],
  ['CI', "Ivory Coast|Côte d’Ivoire|Côte d'Ivoire|Cote d Ivoire"],
  ['BA', 'Bosnia and Herzegovina|Bosnia & Herzegovina'],
  ['TT', 'Trinidad and Tobago'],
  ['RU', 'Russian Federation|Россия|Russia'],
  ['VN', 'Viet Nam|Vietnam'],
  ['KR', 'Korea (Republic of)|South Korea|Korea, Republic of|Republic of Korea'],
  ['KP', "Democratic People's Republic of Korea|North Korea|Korea, North"],
  ['IR', 'Iran (Islamic Republic of)|Iran, Islamic Republic of|Iran'],
  ['PS', 'Palestine|Palestinian|State of Palestine'],
  ['MK', 'Macedonia|Macedonia, The Former Yugoslav Republic of|North Macedonia'],
  ['NL', 'The Netherlands|Netherlands|Niederlande|Holland'],
  ['GR', 'Ελλάδα|Greece'],
  ['CY', 'Κύπρος|Cyprus|Zypern|CYP'],
  ['SA', 'KSA|Saudi Arabia'],
  ['CV', 'Cabo Verde|Cape Verde'],
  ['DE', 'de|DEU|Germany|Deutschland|Allemagne'],
  ['CD', 'Congo, Democratic Republic of the'],
  ['CG', 'Congo, Republic of the'],
  ['US', 'USA|United States|U.S.A.|United States of America'],
  ['MM', 'Burma|Myanmar'],
  ['GM', 'The Gambia'],
  ['MD', 'Moldova|Moldova, Republic of'],
])('the country %s is read from: %s', (code, names) => {
  expect(Object.fromEntries(names.split('|').map((name) => [name, readCountryName(name)]))).toEqual(
    Object.fromEntries(names.split('|').map((name) => [name, code])),
  )
})

test.each(['', ' ', 'Atlantis', '00', 'UNKNOWN', 'ZZ', 'XX', 'QQQ', 'Korea, East', 'Virgin Islands'])(
  'no country is read from “%s”',
  (text) => expect(readCountryName(text)).toBeUndefined(),
)
