import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DATE_OR_TIME, isDate, isTime } from '../../../platform/wire/formats.ts'
import { findSchemaName } from '../../../platform/wire/schema-name.ts'
import { getParameters, type ListName } from './saved-views.lists.ts'

/** Examples of names and contacts: a parameter that accepts one of these may name a person. */
const PEOPLE = ['ada.lovelace@example.com', 'ada lovelace', '+35799123456', 'lovelace']
/**
 * Parameters whose free text is the firm's own vocabulary, such as categories of clients, leads, tickets and trades, or
 * names of acts. Such a word is shared by many records and does not identify a person. All other free text (a search,
 * the address of a mail) is refused, so that a new parameter cannot store personal data unnoticed.
 */
const FIRMS_OWN: ReadonlySet<string> = new Set([
  'action',
  'category',
  'entity',
  'platform',
  'server',
  'segment',
  'source',
  'symbol',
  'tag',
])
/** A word with this sign is an address, which somebody may have used as the name of a segment. */
const ADDRESS = '@'
/**
 * Ids identify nobody once their record is erased. A parameter for ids accepts any text, but a view only text with the
 * form of ids.
 */
const IDS: ReadonlySet<string | undefined> = new Set(['Id', 'Colleagues'])
const ID_FORM = /^(?:none|(?:[a-z]{2,8}_)?[0-9a-z]{26})(?:,(?:none|(?:[a-z]{2,8}_)?[0-9a-z]{26})){0,19}$/
/** The console writes this for “all” if a list by default shows only one state. */
const ALL = '*'
const TIMES: ReadonlySet<unknown> = new Set([DATE_OR_TIME, 'date-time', 'date'])
/** Periods of the console that move with the day. */
const MOVING = ['today', '7d', 'month'] as const
export type Moving = (typeof MOVING)[number]

const isMoment = (text: string): boolean => MOVING.some((one) => one === text) || isDate(text) || isTime(text)
const isId = (schema: TSchema): boolean => IDS.has(findSchemaName(schema))
const takesPeople = (schema: TSchema): boolean => PEOPLE.some((text) => Value.Check(schema, text))

/** Returns whether a parameter may name a person, so that no view stores it. */
const mayName = (name: string, schema: TSchema): boolean => !isId(schema) && !FIRMS_OWN.has(name) && takesPeople(schema)

/** Returns the parameters of a list that a view may store. */
export const listKept = (list: ListName): string[] =>
  Object.entries(getParameters(list)).flatMap(([name, schema]) => (mayName(name, schema) ? [] : [name]))

/** Returns why a view of a list does not store a value: it may name a person, or the list has no such filter. */
export function reasonAgainst(list: ListName, name: string, value: string): 'names' | 'unknown' | null {
  const parameters = getParameters(list)
  const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  // every list with a search calls it `q`, and a list without one might get one later
  if (schema === undefined) return name === 'q' ? 'names' : 'unknown'
  if (mayName(name, schema)) return 'names'
  if (value === ALL) return null
  if (isId(schema)) return ID_FORM.test(value) ? null : 'unknown'
  if (TIMES.has(schema.format)) return isMoment(value) ? null : 'unknown'
  if (FIRMS_OWN.has(name) && value.includes(ADDRESS)) return 'names'
  return Value.Check(schema, value) ? null : 'unknown'
}

/** Returns the filters of a stored view, without those that an older version accepted and this one refuses. */
export const keptFilters = (list: ListName, filters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([name, value]) => reasonAgainst(list, name, value) === null))
