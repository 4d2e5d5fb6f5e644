import countries from 'i18n-iso-countries/index.js'

/** A file may name a country in these languages. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'pl', 'ru']

let names: ReadonlyMap<string, string> | undefined
function codesByName(): ReadonlyMap<string, string> {
  names ??= new Map(
    LANGUAGES.flatMap((language) => {
      const words = new Intl.DisplayNames([language], { type: 'region' })
      return Object.keys(countries.getAlpha2Codes()).map((code): [string, string] => [
        (words.of(code) ?? code).toLowerCase(),
        code,
      ])
    }),
  )
  return names
}

/**
 * Returns the alpha-2 code of a country from a code of two or three letters, or a name; other text is returned
 * unchanged.
 */
export function readCountry(text: string): string {
  const upper = text.toUpperCase()
  if (/^[A-Z]{2}$/.test(upper)) return upper
  if (/^[A-Z]{3}$/.test(upper)) return countries.alpha3ToAlpha2(upper) ?? text
  return codesByName().get(text.toLowerCase()) ?? text
}

/**
 * Returns a day as `YYYY-MM-DD`, also from `31.12.1990`, and from `31/12/1990` if only one reading is a date; other
 * text is unchanged, as an ambiguous day must be shown as a mistake.
 */
export function readDay(text: string): string {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (dotted) return formatIso(dotted[3], dotted[2], dotted[1])
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (!slashed) return text.replace(/^(\d{4}-\d{2}-\d{2})[T ]00:00(:00)?$/, '$1')
  const [, first = '', second = '', year] = slashed
  if (Number(first) > 12 || first === second) return formatIso(year, second, first)
  return Number(second) > 12 ? formatIso(year, first, second) : text
}

const formatIso = (year = '', month = '', day = ''): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/**
 * Returns an amount as decimal text from the forms of spreadsheets: `1,234.56`, `1.234,56`, `1 234,56`, `1234,5`. An
 * ambiguous one is unchanged or in a form that is refused: `1,234`, and `1.234` of a currency with three decimals or
 * more.
 */
export function readDecimal(text: string, scale: number): string {
  // a blank or an apostrophe only separates thousands, so `1 2 3` is no amount
  const grouped = /^-?\d{1,3}([\s'’]\d{3})+([.,]\d+)?$/u.test(text)
  const bare = grouped ? text.replace(/[\s'’]/gu, '') : text
  if (scale >= 3 && /^-?[1-9]\d{0,2}\.\d{3}$/.test(bare)) return bare.replace('.', ',')
  if (/^-?\d{1,3}(,\d{3})+\.\d+$/.test(bare)) return bare.replaceAll(',', '')
  if (/^-?\d{1,3}(\.\d{3})+,\d+$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  if (/^-?\d{1,3}(,\d{3}){2,}$/.test(bare)) return bare.replaceAll(',', '')
  if (/^-?\d+,\d{1,2}$/.test(bare)) return bare.replace(',', '.')
  return bare
}

const YES = ['1', 'true', 'yes', 'y', 'demo', 'ja', 'oui', 'si', 'sí', 'sim', 'tak', 'да']
const NO = ['0', 'false', 'no', 'n', 'live', 'real', 'nein', 'non', 'não', 'nie', 'нет']
/** Returns a word as a boolean; undefined if it is neither yes nor no. */
export function yesOrNo(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (YES.includes(word)) return true
  return NO.includes(word) ? false : undefined
}

/** Splits a name: the family name comes after the last blank, or before a comma. */
export function nameParts(text: string): { firstName?: string; lastName?: string } {
  const comma = /^([^,]+),\s*(.+)$/.exec(text)
  if (comma) return { firstName: comma[2] ?? '', lastName: comma[1] ?? '' }
  const at = text.lastIndexOf(' ')
  return at === -1 ? { lastName: text } : { firstName: text.slice(0, at).trim(), lastName: text.slice(at + 1) }
}
