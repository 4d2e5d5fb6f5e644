import { XMLParser } from 'fast-xml-parser'
import { readCountryName } from '../../../platform/country-names.ts'
import type { FieldCode } from '../../../platform/problem-codes.ts'
import { splitNames } from './person-names.ts'

/** The refusal of a file that is not in its source's format. */
export class ListMalformed extends Error {
  override name = 'ListMalformed'
  /** `field` is the part of the request that has the file. */
  constructor(
    message: string,
    readonly field = 'content',
    readonly code: FieldCode = 'malformed',
  ) {
    super(message)
  }
}

/** Returns a country as its code. An unknown name is kept for people to read, and the matcher ignores it. */
export const countryCode = (name: string): string => readCountryName(name) ?? name.trim()
/** Returns the names in a list's fields, each once. */
export const listNames = (fields: readonly string[]): string[] => unique(fields.flatMap(splitNames))
export const unique = (items: readonly string[]): string[] => [
  ...new Set(items.map((item) => item.trim()).filter((item) => item !== '')),
]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A person may be born this many years before or after an estimated year. */
const CIRCA = 2

/**
 * Reads a birth: `12 Mar 1960` → `1960-03-12`; `1960 to 1962` → `1960/1962`; `circa 1970` → `1968/1972`; any other text
 * with a year → the year.
 */
function readBirth(text: string): string | undefined {
  const [, from, to] = /(\d{4})\b.*?\b(?:to|and|-|–|\/)\s*.*?\b(\d{4})/.exec(text) ?? []
  if (from && to) return `${from}/${to}`
  const [, about] = /(?:circa|approximately)\D*(?:\S+ )*?(\d{4})/i.exec(text) ?? []
  if (about) return `${Number(about) - CIRCA}/${Number(about) + CIRCA}`
  const [, day, month, year] = /(\d{1,2}) ([A-Za-z]{3})[a-z]* (\d{4})/.exec(text) ?? []
  const index = MONTHS.indexOf((month ?? '').toLowerCase())
  if (day && year && index >= 0) return `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  return /\d{4}(-\d{2}-\d{2})?/.exec(text)?.[0]
}
export const births = (texts: readonly string[]): string[] => unique(texts.map((text) => readBirth(text) ?? ''))

export type Node = Readonly<Record<string, unknown>>
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const nodes = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }
/**
 * Decodes XML's own five entities and numbered characters. Entities that a document defines are not decoded, since they
 * could expand without limit.
 */
const decoded = (value: string): string =>
  value.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|apos|gt|lt|quot));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
export const text = (value: unknown): string =>
  typeof value === 'string' ? decoded(value) : typeof value === 'number' ? String(value) : ''
export const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : [text(value)])

export const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
})
