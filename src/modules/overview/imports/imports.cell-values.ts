import { isCurrency } from '../../../platform/money.ts'
import type { Reading } from './imports.fields.ts'

/** A time of day behind a day. Only midnight is accepted, since another time may be on another day elsewhere. */
const MIDNIGHT = /[T ]0{1,2}:00(:00(\.0+)?)?(Z|[+-]00:?00)?$/

const formatIso = (year = '', month = '', day = ''): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/**
 * Returns a day as `YYYY-MM-DD`, also from `31.12.1990`, `1990.12.31`, `31-12-1990` and `12/31/1990 0:00`. Null if it
 * may mean two days and `order` does not say which; other text is returned as it is.
 */
export function readDay(text: string, order: Reading['dates']): string | null {
  const bare = text.replace(MIDNIGHT, '')
  const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(bare)
  if (yearFirst) return formatIso(yearFirst[1], yearFirst[2], yearFirst[3])
  const parts = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(bare)
  if (!parts) return text
  const [, first = '', mark, second = '', year] = parts
  const [dayFirst, monthFirst] = [formatIso(year, second, first), formatIso(year, first, second)]
  if (mark === '.' || Number(first) > 12 || first === second) return dayFirst
  if (Number(second) > 12) return monthFirst
  if (order === undefined) return null
  return order === 'day_first' ? dayFirst : monthFirst
}

/** Splits an amount from the code of a currency before or behind it, as banks write it. */
export function splitAmount(text: string): { amount: string; code: string | undefined } {
  const [, before, amount = text, after] = /^([A-Z]{3,4} ?)?(-?\d[\d.,\s'’]*?)(\s?[A-Z]{3,4})?$/iu.exec(text) ?? []
  const code = (before ?? after)?.trim().toUpperCase()
  return code !== undefined && isCurrency(code) ? { amount, code } : { amount: text, code: undefined }
}

/**
 * Returns an amount as decimal text from the forms of spreadsheets: `1,234.56`, `1.234,56`, `1 234,56`, `1234,5`. An
 * ambiguous one such as `1,234` is read with `decimals`, or returned as it is (and so refused) without them. A single
 * point is always the decimal sign, unless `decimals` says otherwise. No thousands begin with zero, so `0.125` is
 * always less than one.
 */
export function readDecimal(text: string, decimals: Reading['decimals']): string {
  // a blank or an apostrophe may only separate thousands, so `1 2 3` is not an amount
  const grouped = /^-?[1-9]\d{0,2}([\s'’]\d{3})+([.,]\d+)?$/u.test(text)
  const bare = grouped ? text.replace(/[\s'’]/gu, '') : text
  if (decimals === 'comma' && /^-?(\d+|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?$/.test(bare))
    return bare.replaceAll('.', '').replace(',', '.')
  if (decimals === 'point' && /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(bare)) return bare.replaceAll(',', '')
  if (/^-?[1-9]\d{0,2}(,\d{3})+\.\d+$/.test(bare)) return bare.replaceAll(',', '')
  if (/^-?[1-9]\d{0,2}(\.\d{3})+,\d+$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  if (/^-?[1-9]\d{0,2}(,\d{3}){2,}$/.test(bare)) return bare.replaceAll(',', '')
  if (/^-?\d+,\d{1,2}$/.test(bare)) return bare.replace(',', '.')
  // a workbook's number of three decimals was given a fourth one, a zero, so that they are not read as thousands
  return bare.replace(/^(-?\d+\.\d{3})0$/, '$1')
}

/** Returns the leverage from `500`, `1:500`, `1 : 500` and `500:1`; undefined for other text. */
export function readLeverage(text: string, { min, max }: { min: number; max: number }): number | undefined {
  const [, before, behind] = /^(?:1\s*:\s*)?(\d{1,6})$|^(\d{1,6})\s*:\s*1$/.exec(text) ?? []
  const times = Number(before ?? behind ?? Number.NaN)
  return times >= min && times <= max ? times : undefined
}

/** These currency codes are also words in the names of groups, so they are ignored there. */
const WORDS = ['ALL', 'CUP', 'GEL', 'MAD', 'MOP', 'PEN', 'SOL', 'TOP']
const splitGroup = (group: string): string[] => group.toUpperCase().split(/[^A-Z]+/)
/** Returns the currency in the name of a platform's group, such as `real\EUR-ECN`; undefined unless there is one. */
export function currencyInGroup(group: string): string | undefined {
  const words = splitGroup(group)
  // the name of a group of cent accounts has the currency whose cents the accounts hold
  if (words.some((word) => /^CENTS?$/.test(word))) return undefined
  const codes = new Set(words.filter((word) => isCurrency(word) && !WORDS.includes(word)))
  const [code] = codes
  return codes.size === 1 ? code : undefined
}
/** Returns whether a group of a platform has practice accounts, such as `demo\forex`. */
export const isDemoGroup = (group: string): boolean => splitGroup(group).includes('DEMO')

const YES = ['1', 'true', 'yes', 'y', 'ja', 'oui', 'si', 'sí', 'sim', 'tak', 'да']
const NO = ['0', 'false', 'no', 'n', 'live', 'real', 'nein', 'non', 'não', 'nie', 'нет']
/** Returns a word as yes or no, and true for a type of practice account; undefined for other words. */
export function yesOrNo(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (YES.includes(word) || /\b(demo|practice|contest)\b/.test(word)) return true
  return NO.includes(word) ? false : undefined
}

/** Splits a name: the family name is behind the last blank, or before a comma. */
export function nameParts(text: string): { firstName?: string; lastName?: string } {
  const comma = /^([^,]+),\s*(.+)$/.exec(text)
  if (comma) return { firstName: comma[2] ?? '', lastName: comma[1] ?? '' }
  const at = text.lastIndexOf(' ')
  return at === -1 ? { lastName: text } : { firstName: text.slice(0, at).trim(), lastName: text.slice(at + 1) }
}
