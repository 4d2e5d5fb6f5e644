import { parse } from 'csv-parse/sync'
import { XMLParser } from 'fast-xml-parser'
import countries from 'i18n-iso-countries/index.js'
import english from 'i18n-iso-countries/langs/en.json'
import type { ListSource } from './list-sources.ts'
import type { ListEntry } from './matcher.ts'

countries.registerLocale(english)

/** The file is not what its source publishes. */
export class ListMalformed extends Error {
  override name = 'ListMalformed'
}

/** Names that the lists use and the register of countries does not. */
const COUNTRY_NAMES: Readonly<Record<string, string>> = {
  burma: 'MM',
  'congo, democratic republic of the': 'CD',
  'congo, republic of the': 'CG',
  "cote d'ivoire": 'CI',
  iran: 'IR',
  'korea, north': 'KP',
  'korea, south': 'KR',
  laos: 'LA',
  moldova: 'MD',
  palestinian: 'PS',
  'north korea': 'KP',
  russia: 'RU',
  syria: 'SY',
  tanzania: 'TZ',
  'the gambia': 'GM',
  turkey: 'TR',
  venezuela: 'VE',
  vietnam: 'VN',
}

/** A country as its code; what is not known stays as it is, for people to read, and counts for nothing. */
const countryCode = (name: string): string => {
  const trimmed = name.trim()
  return countries.getAlpha2Code(trimmed, 'en') ?? COUNTRY_NAMES[trimmed.toLowerCase()] ?? trimmed
}
const unique = (items: readonly string[]): string[] => [
  ...new Set(items.map((item) => item.trim()).filter((item) => item !== '')),
]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** How far from an estimated year somebody may be born. */
const CIRCA = 2

/** `12 Mar 1960` → `1960-03-12`; `1960 to 1962` → `1960/1962`; `circa 1970` → `1968/1972`; anything else with a year → the year. */
function birthOf(text: string): string | undefined {
  const [, from, to] = /(\d{4})\b.*?\b(?:to|and|-|–|\/)\s*.*?\b(\d{4})/.exec(text) ?? []
  if (from && to) return `${from}/${to}`
  const [, about] = /(?:circa|approximately)\D*(?:\S+ )*?(\d{4})/i.exec(text) ?? []
  if (about) return `${Number(about) - CIRCA}/${Number(about) + CIRCA}`
  const [, day, month, year] = /(\d{1,2}) ([A-Za-z]{3})[a-z]* (\d{4})/.exec(text) ?? []
  const index = MONTHS.indexOf((month ?? '').toLowerCase())
  if (day && year && index >= 0) return `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  return /\d{4}(-\d{2}-\d{2})?/.exec(text)?.[0]
}
const births = (texts: readonly string[]): string[] => unique(texts.map((text) => birthOf(text) ?? ''))

/** OFAC's SDN.CSV: no header, twelve columns, `-0-` for nothing; births, nationalities and some aliases lie in the remarks. */
function parseOfac(content: string): ListEntry[] {
  const rows: string[][] = parse(content, {
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    bom: true,
  })
  return rows
    .filter((row) => /^\d+$/.test(row[0] ?? '') && (row[1] ?? '') !== '')
    .map((row) => {
      const [reference = '', name = '', type = '', programme = ''] = row
      const remarks = row[11] ?? ''
      return {
        reference,
        kind: type.toLowerCase() === 'individual' ? 'person' : 'entity',
        names: unique([name, ...[...remarks.matchAll(/a\.k\.a\. '([^']+)'/g)].map((found) => found[1] ?? '')]),
        births: births([...remarks.matchAll(/DOB ([^;.]+)/g)].map((found) => found[1] ?? '')),
        countries: unique(
          [...remarks.matchAll(/(?:nationality|citizen) ([^;.]+)/g)].map((found) => countryCode(found[1] ?? '')),
        ),
        programme: programme === '-0-' ? null : programme,
      }
    })
}

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }
/** XML's own five entities and numbered characters; those that a document defines itself stay unread, they could be made to grow without end. */
const decoded = (value: string): string =>
  value.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|apos|gt|lt|quot));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
const text = (value: unknown): string =>
  typeof value === 'string' ? decoded(value) : typeof value === 'number' ? String(value) : ''
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : [text(value)])

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
})

/** The EU's consolidated list: `sanctionEntity` elements whose facts are attributes. */
function parseEu(content: string): ListEntry[] {
  const root: unknown = xml.parse(content)
  const list = isNode(root) && isNode(root.export) ? root.export : undefined
  if (!list) throw new ListMalformed('there is no <export> element')
  return nodes(list.sanctionEntity).map((entity) => ({
    reference: text(entity['@logicalId'] ?? entity['@euReferenceNumber']),
    kind: nodes(entity.subjectType).some(
      (type) => text(type['@code']) === 'person' || text(type['@classificationCode']) === 'P',
    )
      ? 'person'
      : 'entity',
    names: unique(
      nodes(entity.nameAlias).map(
        (alias) => text(alias['@wholeName']) || `${text(alias['@firstName'])} ${text(alias['@lastName'])}`,
      ),
    ),
    births: births(
      nodes(entity.birthdate).map((birth) => {
        const range = [text(birth['@yearRangeFrom']), text(birth['@yearRangeTo'])].filter((year) => /^[1-9]/.test(year))
        const told = text(birth['@birthdate']) || text(birth['@year'])
        if (told === '' || told === '0') return range.join(' to ')
        return birth['@circa'] === 'true' ? `circa ${told}` : told
      }),
    ),
    countries: unique(
      nodes(entity.citizenship).map(
        (citizen) => text(citizen['@countryIso2Code']) || countryCode(text(citizen['@countryDescription'])),
      ),
    ),
    programme: text(nodes(entity.regulation)[0]?.['@programme']) || null,
  }))
}

/** The UN's consolidated list: INDIVIDUALS and ENTITIES with their names in parts. */
function parseUn(content: string): ListEntry[] {
  const root: unknown = xml.parse(content)
  const list = isNode(root) && isNode(root.CONSOLIDATED_LIST) ? root.CONSOLIDATED_LIST : undefined
  if (!list) throw new ListMalformed('there is no <CONSOLIDATED_LIST> element')
  const wholeName = (entry: Node) =>
    ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'].map((part) => text(entry[part])).join(' ')
  const read = (entry: Node, kind: 'person' | 'entity'): ListEntry => ({
    reference: text(entry.REFERENCE_NUMBER) || text(entry.DATAID),
    kind,
    names: unique([
      wholeName(entry),
      text(entry.NAME_ORIGINAL_SCRIPT),
      ...nodes(entry[kind === 'person' ? 'INDIVIDUAL_ALIAS' : 'ENTITY_ALIAS']).map((alias) => text(alias.ALIAS_NAME)),
    ]),
    births: births(
      nodes(entry.INDIVIDUAL_DATE_OF_BIRTH).flatMap((birth) => {
        const told = [...texts(birth.DATE), ...texts(birth.YEAR)]
        const range = [text(birth.FROM_YEAR), text(birth.TO_YEAR)].filter((year) => year !== '').join(' to ')
        const about = text(birth.TYPE_OF_DATE).toUpperCase() === 'APPROXIMATELY' ? 'circa ' : ''
        return [...told.filter((date) => date !== '').map((date) => about + date), range]
      }),
    ),
    countries: unique(nodes(entry.NATIONALITY).flatMap((nationality) => texts(nationality.VALUE).map(countryCode))),
    programme: text(entry.UN_LIST_TYPE) || null,
  })
  return [
    ...nodes(isNode(list.INDIVIDUALS) ? list.INDIVIDUALS.INDIVIDUAL : undefined).map((entry) => read(entry, 'person')),
    ...nodes(isNode(list.ENTITIES) ? list.ENTITIES.ENTITY : undefined).map((entry) => read(entry, 'entity')),
  ]
}

const PARSERS: Readonly<Record<ListSource, (content: string) => ListEntry[]>> = {
  ofac_sdn: parseOfac,
  eu: parseEu,
  un: parseUn,
}

/** Entries of an official list file, each reference once; throws `ListMalformed` when it holds nobody. */
export function parseList(source: ListSource, content: string): ListEntry[] {
  let entries: ListEntry[]
  try {
    entries = PARSERS[source](content)
  } catch (error) {
    if (error instanceof ListMalformed) throw error
    throw new ListMalformed(error instanceof Error ? error.message : 'it cannot be read')
  }
  const byReference = new Map(
    entries
      .filter(({ reference, names }) => reference !== '' && names.length > 0)
      .map((entry) => [entry.reference, entry]),
  )
  if (byReference.size === 0) throw new ListMalformed('it holds no entry')
  return [...byReference.values()]
}
