import { wholeDay } from '../../../lib/text/day-text.ts'
import { isEmail } from '../../firm/auth/form-rules.ts'
import type { NewTrader, Trader } from './traders.api.ts'

/** Holds a client as a form does: a text is empty if the client has none. */
export type TraderValues = {
  email: string
  phone: string
  firstName: string
  lastName: string
  country: string | null
  language: string
  dateOfBirth: string
  address: { street: string; city: string; region: string; postalCode: string }
  riskLevel: Trader['riskLevel']
  segments: string[]
  tags: string[]
  assignedTo: string | null
  source: string
}

/** Names a field of the form by its path in the values. */
export type TraderField = Exclude<keyof TraderValues, 'address'> | `address.${keyof TraderValues['address']}`

export const TRADER_RULES = { email: isEmail, dateOfBirth: wholeDay }

/** Returns the initial values of a form: those of a client, or empty ones. */
export const toValues = (trader?: Trader): TraderValues => ({
  email: trader?.email ?? '',
  phone: trader?.phone ?? '',
  firstName: trader?.firstName ?? '',
  lastName: trader?.lastName ?? '',
  country: trader?.country ?? null,
  language: trader?.language ?? '',
  dateOfBirth: trader?.dateOfBirth ?? '',
  address: {
    street: trader?.address?.street ?? '',
    city: trader?.address?.city ?? '',
    region: trader?.address?.region ?? '',
    postalCode: trader?.address?.postalCode ?? '',
  },
  riskLevel: trader?.riskLevel ?? 'low',
  segments: trader?.segments ?? [],
  tags: trader?.tags ?? [],
  assignedTo: trader?.assignedTo ?? null,
  source: trader?.source ?? '',
})

const orNull = (text: string | null): string | null => text?.trim() || null

/** A client's form sends none of these: they come with a link, or from programs only. */
type NotInForm = 'affiliateCode' | 'visitorId' | 'metadata'

/** Builds the body for the API, with every field that a form has; an empty one is null there. */
export const toBody = (values: TraderValues): Required<Omit<NewTrader, NotInForm>> => {
  const parts = Object.entries(values.address).filter(([, text]) => text.trim())
  return {
    email: values.email.trim(),
    phone: orNull(values.phone),
    firstName: orNull(values.firstName),
    lastName: orNull(values.lastName),
    country: values.country,
    language: orNull(values.language),
    dateOfBirth: orNull(values.dateOfBirth),
    address: parts.length > 0 ? Object.fromEntries(parts) : null,
    riskLevel: values.riskLevel,
    segments: values.segments,
    tags: values.tags,
    assignedTo: values.assignedTo,
    source: orNull(values.source),
  }
}
