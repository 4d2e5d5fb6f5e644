import { countryName } from './countries.ts'
import { dayText } from './day-text.ts'
import { fieldName } from './field-name.ts'
import { languageName } from './languages.ts'
import { phoneText } from './phone-text.ts'
import { stateName } from './state-name.ts'
import { say } from './words.ts'

type Fields = Record<string, unknown>
/** Names a text value of a field, such as an id or a state, where the record knows a name for it. */
export type NameValue = (key: string, value: string) => string | null | undefined

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isId = (text: string): boolean => /^[a-z]{3}_[0-9a-z]{20,40}$/.test(text)

/** Returns the fields with nested ones, such as those of an address, beside the others. */
const flat = (fields: object | null): Map<string, unknown> =>
  new Map(
    Object.entries(fields ?? {}).flatMap(([key, value]: [string, unknown]): [string, unknown][] =>
      isFields(value) ? Object.entries(value) : [[key, value]],
    ),
  )

const STATES = new Set(['status', 'riskLevel', 'priority'])

/** Returns a value in words; null where only an id, or a value with parts, could be shown. */
const valueText = (key: string, value: unknown, nameValue: NameValue): string | null => {
  if (value === null || value === undefined || value === '') return say('parts.value.none')
  if (typeof value === 'boolean') return value ? say('parts.value.yes') : say('parts.value.no')
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string')
      ? value.map((item) => nameValue(key, item) ?? item).join(', ') || say('parts.value.none')
      : null
  if (typeof value !== 'string') return null
  const name = nameValue(key, value)
  if (name) return name
  if (isId(value)) return null
  if (key === 'country') return countryName(value)
  if (key === 'language') return languageName(value)
  if (key === 'dateOfBirth') return dayText(value)
  if (key === 'phone') return phoneText(value)
  return STATES.has(key) ? stateName(value) : value
}

/** `labels` names the fields that have no name of their own among those of all records. */
type Versions = {
  before: object | null
  after: object | null
  nameValue?: NameValue
  labels?: Readonly<Record<string, string>>
}

/** Returns what differs between two versions, a text for each field: “Street: 63 Mill Lane → 1 New Street”. */
export const listChanges = ({ before, after, nameValue = () => null, labels = {} }: Versions): string[] => {
  const was = flat(before)
  const is = flat(after)
  return [...new Set([...is.keys(), ...was.keys()])]
    .filter((key) => JSON.stringify(was.get(key) ?? null) !== JSON.stringify(is.get(key) ?? null))
    .map((key) => {
      const [from, to] = [was, is].map((fields) => valueText(key, fields.get(key), nameValue))
      const field = labels[key] ?? fieldName(key)
      return typeof from === 'string' && typeof to === 'string'
        ? say('parts.change', { field, before: short(from), after: short(to) })
        : say('parts.change_plain', { field })
    })
}

/** A longer value is cut, since only its beginning is needed to know it again. */
const MOST_LETTERS = 60
const short = (text: string): string =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS).trimEnd()}…` : text

/** A notice names at most this many changes, and counts the others. */
const MOST_TOLD = 2

/** Says in one line what was done and what differs now: “Client saved. Risk: Low → High”. */
export const changesText = (done: string, versions: Versions): string => {
  const all = listChanges(versions)
  if (all.length === 0) return done
  const changes = all.slice(0, MOST_TOLD).join(' · ')
  return say('parts.changes', { done, changes, more: Math.max(0, all.length - MOST_TOLD) })
}
