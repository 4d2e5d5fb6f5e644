import { parse } from 'csv-parse/sync'
import { csvFault } from '../../../platform/http/body/csv-fault.ts'
import { say } from '../../../words/say.ts'
import { births, countryCode, isNode, ListMalformed, listNames, nodes, text, texts, unique, xml } from './list-facts.ts'
import { OFAC_FILES, type OfacFile } from './list-sources.ts'
import type { ListEntry } from './matcher.ts'

/** Entries of these types are left out, since no client is one. */
const CRAFT = new Set(['vessel', 'aircraft'])

/** OFAC writes this for an empty field. */
const NOTHING = '-0-'
/** The files end with the end-of-file byte of old systems. */
const END_OF_FILE = String.fromCharCode(0x1a)
/**
 * The columns of each file, which has no header: how many there are, how many of the first are numbers, and which must
 * not be empty.
 */
const FORMATS: Readonly<Record<OfacFile, { name: string; columns: number; numbers: number; needed: number[] }>> = {
  sdn: { name: 'SDN.CSV', columns: 12, numbers: 1, needed: [1] },
  alt: { name: 'ALT.CSV', columns: 5, numbers: 2, needed: [3] },
  add: { name: 'ADD.CSV', columns: 6, numbers: 2, needed: [] },
}

/** Returns the rows of one file. A row of another format refuses the file; if forced, it is left out. */
function readRows(file: OfacFile, content: string, force: boolean, field: string): string[][] {
  const { name, columns, numbers, needed } = FORMATS[file]
  const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true, bom: true }
  const whole = content.trimEnd()
  let rows: string[][]
  try {
    rows = parse(whole.endsWith(END_OF_FILE) ? whole.slice(0, -1) : whole, options)
  } catch (error) {
    const place = csvFault(error)
    const why = place ? say('sanctions.field.file_unreadable_from', place) : say('sanctions.field.file_unreadable')
    throw new ListMalformed(why, field, 'columns')
  }
  const isRight = (row: readonly string[]): boolean =>
    row.length === columns &&
    row.slice(0, numbers).every((cell) => /^\d{1,10}$/.test(cell)) &&
    needed.every((at) => row[at] !== '' && row[at] !== NOTHING)
  const wrong = rows.findIndex((row) => !isRight(row))
  if (wrong >= 0 && !force)
    throw new ListMalformed(
      say('sanctions.field.not_of_format', { name, columns, row: wrong + 1, cells: rows[wrong]?.length ?? 0 }),
      field,
      'columns',
    )
  return rows.filter(isRight)
}

/** Maps the numbers of people to one column of another file's rows; a row with an unknown number refuses the file. */
function byPerson(
  file: OfacFile,
  rows: readonly (readonly string[])[],
  column: number,
  known: ReadonlySet<string>,
  force: boolean,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let strangers = 0
  for (const row of rows) {
    const [reference = ''] = row
    const value = row[column] ?? ''
    if (!known.has(reference)) strangers += 1
    else if (value !== '' && value !== NOTHING) found.set(reference, [...(found.get(reference) ?? []), value])
  }
  if (strangers > 0 && !force)
    throw new ListMalformed(say('sanctions.field.days_differ', { strangers }), `files.${file}`, 'not_of_this_list')
  return found
}

/** Adds countries of addresses to nationalities; alone they say nothing, since many people live elsewhere. */
const withAddresses = (nationalities: readonly string[], addresses: readonly string[]): string[] =>
  nationalities.length === 0 ? [] : unique([...nationalities, ...addresses].map(countryCode))

/**
 * Reads SDN.CSV, ALT.CSV and ADD.CSV. Births, nationalities and weak aliases are in the remarks of the first file,
 * strong aliases in the second.
 */
export function parseOfacFiles(
  files: { readonly [file in OfacFile]: string },
  force: boolean,
  alone?: 'content',
): ListEntry[] {
  const [sdn, alt, add] = OFAC_FILES.map((file) => readRows(file, files[file], force, alone ?? `files.${file}`))
  const known = new Set(sdn?.map(([reference = '']) => reference))
  if (!force && alt?.length === 0 && known.size > 0)
    throw new ListMalformed(say('sanctions.field.aliases_missing'), 'files.alt', 'columns')
  const aliases = byPerson('alt', alt ?? [], 3, known, force)
  const addresses = byPerson('add', add ?? [], 4, known, force)
  const isCraft = ([, , type = '']: readonly string[]) => CRAFT.has(type.toLowerCase())
  return (sdn ?? [])
    .filter((row) => !isCraft(row))
    .map((row) => {
      const [reference = '', name = '', type = '', programme = ''] = row
      const remarks = row[11] ?? ''
      const weak = [...remarks.matchAll(/a\.k\.a\. '([^']+)'/g)].map((found) => found[1] ?? '')
      const nationalities = [...remarks.matchAll(/(?:nationality|citizen) ([^;.]+)/g)].map((found) => found[1] ?? '')
      return {
        reference,
        kind: type.toLowerCase() === 'individual' ? 'person' : 'entity',
        names: listNames([name, ...(aliases.get(reference) ?? []), ...weak]),
        births: births([...remarks.matchAll(/DOB ([^;.]+)/g)].map((found) => found[1] ?? '')),
        countries: withAddresses(nationalities, addresses.get(reference) ?? []),
        programme: programme === NOTHING ? null : programme,
      }
    })
}

const formatName = (node: Readonly<Record<string, unknown>>): string =>
  [text(node.lastName), text(node.firstName)].filter((part) => part !== '').join(', ')

/** Returns the items of a list inside an `sdnEntry`: `<akaList><aka>…`. */
const inside = (entry: Readonly<Record<string, unknown>>, list: string, item: string) =>
  nodes(entry[list]).flatMap((node) => nodes(node[item]))

/**
 * Reads OFAC's sdn.xml, with strong and weak aliases. The file declares its number of entries, so a truncated one is
 * recognised.
 */
export function parseOfacXml(content: string, force: boolean): ListEntry[] {
  const root: unknown = xml.parse(content)
  const list = isNode(root) && isNode(root.sdnList) ? root.sdnList : undefined
  if (!list) throw new ListMalformed(say('sanctions.field.ofac_root_missing'))
  const entries = nodes(list.sdnEntry)
  const announced = Number(text(nodes(list.publshInformation)[0]?.Record_Count))
  if (announced > entries.length && !force)
    throw new ListMalformed(say('sanctions.field.cut_off', { announced, read: entries.length }), 'content', 'cut_off')
  const isCraft = ({ sdnType }: (typeof entries)[number]) => CRAFT.has(text(sdnType).toLowerCase())
  return entries
    .filter((entry) => !isCraft(entry))
    .map((entry) => {
      const nationalities = [
        ...inside(entry, 'nationalityList', 'nationality'),
        ...inside(entry, 'citizenshipList', 'citizenship'),
      ].map(({ country }) => text(country))
      return {
        reference: text(entry.uid),
        kind: text(entry.sdnType).toLowerCase() === 'individual' ? 'person' : 'entity',
        names: listNames([formatName(entry), ...inside(entry, 'akaList', 'aka').map(formatName)]),
        births: births(inside(entry, 'dateOfBirthList', 'dateOfBirthItem').map(({ dateOfBirth }) => text(dateOfBirth))),
        countries: withAddresses(
          nationalities,
          inside(entry, 'addressList', 'address').map(({ country }) => text(country)),
        ),
        programme: nodes(entry.programList).flatMap(({ program }) => texts(program))[0] || null,
      }
    })
}
