import { listChanges as listDifferences, type NameValue } from '../../../lib/text/changes.ts'
import { stateName } from '../../../lib/text/state-name.ts'
import { categoryName } from '../../clients/support/ticket-categories.ts'
import { KYC_LABELS } from '../../clients/traders/trader-words.ts'

type Versions = {
  before: object | null
  after: object | null
  names: Readonly<Record<string, string>>
  /** Names a state of this kind of record, if it has other names than those of all. */
  nameState?: (state: string) => string
}

// The entry itself says who changed a row and when, so these fields are left out.
const isOwnTrace = (key: string): boolean => /(At|By|Order)$/.test(key) || key === 'version' || key === 'heldByManager'
const withoutTraces = (fields: object | null): object =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([key]) => !isOwnTrace(key)))
const isKyc = (text: string): text is keyof typeof KYC_LABELS => Object.hasOwn(KYC_LABELS, text)

const STATES = new Set(['status', 'riskLevel', 'priority'])

/** Returns what changed, a text for each field: “Street: 63 Mill Lane → 1 New Street”. */
export const listChanges = ({ before, after, names, nameState = stateName }: Versions): string[] => {
  const nameValue: NameValue = (key, value) => {
    if (names[value]) return names[value]
    if (key === 'kycStatus' && isKyc(value)) return KYC_LABELS[value]
    if (key === 'category') return categoryName(value)
    return STATES.has(key) ? nameState(value) : null
  }
  return listDifferences({ before: withoutTraces(before), after: withoutTraces(after), nameValue })
}
