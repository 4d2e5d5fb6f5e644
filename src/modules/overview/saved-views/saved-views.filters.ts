import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DATE_OR_TIME, isDate, isTime } from '../../../platform/wire/formats.ts'
import { nameOf } from '../../../platform/wire/named.ts'
import { type ListName, parametersOf } from './saved-views.lists.ts'

/** What people are told by: a parameter that takes one of these may name somebody, whatever it is called. */
const PEOPLE = ['ada.lovelace@example.com', 'ada lovelace', '+35799123456', 'lovelace']
/**
 * Free text that is the firm's own vocabulary: what it sorts clients, leads, tickets and trades by, and the product's
 * words for acts and records. These are told of many records each, are listed in settings and facets, and are no more
 * about a person than the name of a view is. Everything else that takes free text (a search, the address of a mail)
 * is refused, so that a parameter that comes later is no leak until somebody thought about it.
 */
const FIRMS_OWN: ReadonlySet<string> = new Set([
  'action',
  'category',
  'entity',
  'platform',
  'segment',
  'source',
  'symbol',
  'tag',
])
/** A word of the vocabulary that holds this is an address of somebody, by whom a segment was named. */
const ADDRESS = '@'
/** Ids say nothing about anybody once their record is erased; a parameter for one takes any text, a view its form. */
const IDS: ReadonlySet<string | undefined> = new Set(['Id', 'Colleagues'])
const ID_FORM = /^(?:[a-z]{2,8}_)?[0-9a-z]{26}(?:,(?:[a-z]{2,8}_)?[0-9a-z]{26}){0,19}$/
/** What the console has in an address for “all”, where a list opens on one state. */
const ALL = '*'
const TIMES: ReadonlySet<unknown> = new Set([DATE_OR_TIME, 'date-time', 'date'])
/** The console's periods that move with the day. */
const MOVING = ['today', '7d', 'month'] as const
export type Moving = (typeof MOVING)[number]

const isMoment = (text: string): boolean => MOVING.some((one) => one === text) || isDate(text) || isTime(text)
const isId = (schema: TSchema): boolean => IDS.has(nameOf(schema))
const takesPeople = (schema: TSchema): boolean => PEOPLE.some((text) => Value.Check(schema, text))

/** Whether what a parameter holds may name a person, so that no view keeps it. */
const mayName = (name: string, schema: TSchema): boolean => !isId(schema) && !FIRMS_OWN.has(name) && takesPeople(schema)

/** The parameters of a list that a view may keep. */
export const keptOf = (list: ListName): string[] =>
  Object.entries(parametersOf(list)).flatMap(([name, schema]) => (mayName(name, schema) ? [] : [name]))

/** Why a view of a list does not keep a value: it may name somebody, or the list cannot be asked for it. */
export function reasonAgainst(list: ListName, name: string, value: string): 'names' | 'unknown' | null {
  const parameters = parametersOf(list)
  const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  // the search is named so everywhere, also where a list has none
  if (schema === undefined) return name === 'q' ? 'names' : 'unknown'
  if (mayName(name, schema)) return 'names'
  if (value === ALL) return null
  if (isId(schema)) return ID_FORM.test(value) ? null : 'unknown'
  if (TIMES.has(schema.format)) return isMoment(value) ? null : 'unknown'
  if (FIRMS_OWN.has(name) && value.includes(ADDRESS)) return 'names'
  return Value.Check(schema, value) ? null : 'unknown'
}

/** The filters of a stored view that it may keep: an older program may have taken what is refused now. */
export const keptFilters = (list: ListName, filters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([name, value]) => reasonAgainst(list, name, value) === null))
