import { say } from '../../../words/say.ts'
import {
  births,
  countryCode,
  isNode,
  ListMalformed,
  listNames,
  type Node,
  nodes,
  text,
  texts,
  unique,
  xml,
} from './list-facts.ts'
import type { ListSource, OfacFile } from './list-sources.ts'
import type { ListEntry } from './matcher.ts'
import { parseOfacFiles, parseOfacXml } from './ofac-parsers.ts'

/** The EU writes this for a country that is not known. */
const UNKNOWN = '00'

/** Reads the EU's consolidated list: `sanctionEntity` elements with facts in attributes. */
function parseEu(content: string): ListEntry[] {
  const root: unknown = xml.parse(content)
  const list = isNode(root) && isNode(root.export) ? root.export : undefined
  if (!list) throw new ListMalformed(say('sanctions.field.un_root_missing'))
  return nodes(list.sanctionEntity).map((entity) => ({
    reference: text(entity['@logicalId'] ?? entity['@euReferenceNumber']),
    // an entry that is not called a company counts as a person, since a person's name matches more easily
    kind: nodes(entity.subjectType).some(
      (type) => text(type['@code']) === 'enterprise' || text(type['@classificationCode']) === 'E',
    )
      ? 'entity'
      : 'person',
    names: listNames(
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
      nodes(entity.citizenship).map((citizen) => {
        const code = text(citizen['@countryIso2Code'])
        return code === UNKNOWN ? '' : code || countryCode(text(citizen['@countryDescription']))
      }),
    ),
    programme: text(nodes(entity.regulation)[0]?.['@programme']) || null,
  }))
}

/** Reads the UN's consolidated list: INDIVIDUALS and ENTITIES with names in parts. */
function parseUn(content: string): ListEntry[] {
  const root: unknown = xml.parse(content)
  const list = isNode(root) && isNode(root.CONSOLIDATED_LIST) ? root.CONSOLIDATED_LIST : undefined
  if (!list) throw new ListMalformed(say('sanctions.field.eu_root_missing'))
  const wholeName = (entry: Node) =>
    ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'].map((part) => text(entry[part])).join(' ')
  const read = (entry: Node, kind: 'person' | 'entity'): ListEntry => ({
    reference: text(entry.REFERENCE_NUMBER) || text(entry.DATAID),
    kind,
    names: listNames([
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

/** An uploaded list: one text, or OFAC's three files. */
type ListFiles = { content: string } | { [file in OfacFile]: string }

function parseOfac(files: ListFiles, force: boolean): ListEntry[] {
  if (!('content' in files)) return parseOfacFiles(files, force)
  if (files.content.trimStart().startsWith('<')) return parseOfacXml(files.content, force)
  if (!force) throw new ListMalformed(say('sanctions.field.no_aliases'), 'content', 'no_aliases')
  return parseOfacFiles({ sdn: files.content, alt: '', add: '' }, force, 'content')
}

/**
 * Returns the entries of an official list, each reference once; throws `ListMalformed` if it is empty or incomplete.
 * `force` accepts an incomplete one.
 */
export function parseList(source: ListSource, files: ListFiles, force = false): ListEntry[] {
  if (source !== 'ofac_sdn' && !('content' in files))
    throw new ListMalformed(say('sanctions.field.files_of_ofac'), 'files')
  let entries: ListEntry[]
  try {
    if (source === 'ofac_sdn') entries = parseOfac(files, force)
    else entries = (source === 'eu' ? parseEu : parseUn)('content' in files ? files.content : '')
  } catch (error) {
    if (error instanceof ListMalformed) throw error
    // the parser's message may quote the file, which answers must not repeat
    throw new ListMalformed(say('sanctions.field.list_unreadable'))
  }
  const byReference = new Map(
    entries
      .filter(({ reference, names }) => reference !== '' && names.length > 0)
      .map((entry) => [entry.reference, entry]),
  )
  if (byReference.size === 0)
    throw new ListMalformed(say('sanctions.field.entries_missing'), 'content' in files ? 'content' : 'files.sdn')
  return [...byReference.values()]
}
