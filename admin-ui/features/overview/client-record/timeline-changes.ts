import { countryName } from '../../../lib/text/countries.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { fieldName } from '../../../lib/text/field-name.ts'
import { languageName } from '../../../lib/text/languages.ts'
import { stateName } from '../../../lib/text/state-name.ts'
import { categoryName } from '../../clients/support/ticket-categories.ts'
import { KYC_LABELS } from '../../clients/traders/trader-words.ts'
import { say } from './words.ts'

type Fields = Record<string, unknown>
type Names = Readonly<Record<string, string>>
type Versions = {
  before: object | null
  after: object | null
  names: Names
  /** Names a state of this kind of record, if it has other names than those of all. */
  nameState?: (state: string) => string
}

// The entry itself says who changed a row and when, so these fields are left out.
const isOwnTrace = (key: string): boolean => /(At|By|Order)$/.test(key) || key === 'version' || key === 'heldByManager'
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isKyc = (text: string): text is keyof typeof KYC_LABELS => Object.hasOwn(KYC_LABELS, text)
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
const valueText = (key: string, value: unknown, { names, nameState = stateName }: Versions): string | null => {
  if (value === null || value === undefined || value === '') return say('timeline.none')
  if (typeof value === 'boolean') return value ? say('timeline.yes') : say('timeline.no')
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? value.join(', ') || say('timeline.none') : null
  if (typeof value !== 'string') return null
  if (names[value]) return names[value]
  if (isId(value)) return null
  if (key === 'country') return countryName(value)
  if (key === 'language') return languageName(value)
  if (key === 'dateOfBirth') return dayText(value)
  if (key === 'kycStatus' && isKyc(value)) return KYC_LABELS[value]
  if (key === 'category') return categoryName(value)
  return STATES.has(key) ? nameState(value) : value
}

/** Returns what changed, a text for each field: “Street: 63 Mill Lane → 1 New Street”. */
export const listChanges = (versions: Versions): string[] => {
  const was = flat(versions.before)
  const is = flat(versions.after)
  return [...new Set([...is.keys(), ...was.keys()])]
    .filter((key) => !isOwnTrace(key) && JSON.stringify(was.get(key) ?? null) !== JSON.stringify(is.get(key) ?? null))
    .map((key) => {
      const texts = [was, is].map((fields) => valueText(key, fields.get(key), versions))
      const [from, to] = texts
      const field = fieldName(key)
      return typeof from === 'string' && typeof to === 'string'
        ? say('timeline.change', { field, before: from, after: to })
        : say('timeline.change_plain', { field })
    })
}
