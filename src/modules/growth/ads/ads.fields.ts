import type { Static } from '@sinclair/typebox'
import { Problem } from '../../../platform/problem.ts'
import { isEmail, showsSomething, withoutControls, withoutTurning } from '../../../platform/wire/formats.ts'
import { knownCountry, toE164 } from '../../clients/traders/contact.ts'
import type { LeadIn } from '../leads/leads.model.ts'
import { type Bag, isBag } from './ads.graph.ts'

/** The fields of a lead that we ask the platform for. */
export const LEAD_FIELDS = 'id,created_time,ad_id,ad_name,campaign_id,campaign_name,form_id,platform,field_data'
const SOURCE = 'social'

/** Beside the contact, at most this many answers of a form are kept, with these lengths of answers and names. */
const MOST_ANSWERS = 40
const LONGEST_ANSWER = 300
const LONGEST_NAME = 100
/** The answers kept have at most this many characters together, which fits into a lead's limit of 16 KiB. */
const MOST_CHARACTERS = 12_000

/** Returns the beginning of a text, without half a character at its end; empty if the text is invisible. */
function cut(text: string, length: number): string {
  const beginning = text.slice(0, length).toWellFormed().trim()
  return showsSomething(beginning) ? beginning : ''
}

/** Returns a value of the platform as one line, without invisible characters. */
const line = (value: unknown, length: number): string =>
  typeof value === 'string' || typeof value === 'number'
    ? cut(
        withoutTurning(withoutControls(String(value).slice(0, 4 * length)))
          .replaceAll(/\s+/g, ' ')
          .trim(),
        length,
      )
    : ''

/** Returns the result of a check; undefined if it refuses. */
function taken(check: () => string): string | undefined {
  try {
    return check()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Returns the answers of a form by question; several answers to one question are joined. */
function readAnswers(lead: Bag): Map<string, string> {
  const answers = new Map<string, string>()
  for (const field of Array.isArray(lead.field_data) ? lead.field_data.slice(0, MOST_ANSWERS) : []) {
    if (!isBag(field)) continue
    const name = line(field.name, LONGEST_NAME)
    const values = (Array.isArray(field.values) ? field.values : []).map((value) => line(value, LONGEST_ANSWER))
    const said = values.filter((value) => value !== '').join(', ')
    const text = cut(said, LONGEST_ANSWER)
    if (name !== '' && text !== '' && !answers.has(name)) answers.set(name, text)
  }
  return answers
}

/** The platform's own questions, by the field of a lead that their answers fill. */
const NAMES = {
  email: ['email', 'work_email'],
  phone: ['phone_number', 'phone', 'work_phone_number'],
  firstName: ['first_name'],
  lastName: ['last_name'],
  fullName: ['full_name', 'name'],
  country: ['country'],
} as const

/**
 * Converts a lead of the platform to one of ours. Answers to the platform's own questions fill fields; everything else
 * goes into `metadata`. An invalid address, number or country goes there as written, so that staff can read it.
 */
export function toLeadInput(lead: Bag): Static<typeof LeadIn> & { leadGenId: string } {
  const answers = readAnswers(lead)
  const take = (names: readonly string[], read: (text: string) => string | undefined): string | undefined => {
    for (const name of names) {
      const text = answers.get(name)
      const value = text === undefined ? undefined : read(text)
      if (value === undefined) continue
      answers.delete(name)
      return value
    }
    return undefined
  }
  const country = take(NAMES.country, (text) =>
    text.length === 2 ? taken(() => knownCountry(text.toUpperCase())) : undefined,
  )
  const email = take(NAMES.email, (text) => (isEmail(text) ? text : undefined))
  const phone = take(NAMES.phone, (text) => taken(() => toE164(text, country)))
  const full = take(NAMES.fullName, (text) => text) ?? ''
  const [first = '', ...rest] = full.split(' ')
  const firstName = take(NAMES.firstName, (text) => cut(text, 100)) ?? cut(first, 100)
  const lastName = take(NAMES.lastName, (text) => cut(text, 100)) ?? cut(rest.join(' '), 100)
  const ad = Object.fromEntries(
    [
      ['id', lead.ad_id],
      ['name', lead.ad_name],
      ['campaignId', lead.campaign_id],
      ['formId', lead.form_id],
      ['platform', lead.platform],
      ['createdTime', lead.created_time],
    ].flatMap(([name, value]) => {
      const text = line(value, LONGEST_NAME)
      return text === '' ? [] : [[name, text]]
    }),
  )
  const campaign = line(lead.campaign_name, 200) || line(lead.campaign_id, 200)
  return {
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
    ...(firstName === '' ? {} : { firstName }),
    ...(lastName === '' ? {} : { lastName }),
    ...(country === undefined ? {} : { country }),
    ...(campaign === '' ? {} : { campaign }),
    source: SOURCE,
    leadGenId: line(lead.id, 100),
    metadata: { ...bounded(answers), ad },
  }
}

/** Returns as many answers as there is room for. A question may have the same name as one of the platform's own. */
function bounded(answers: ReadonlyMap<string, string>): Record<string, string> {
  let left = MOST_CHARACTERS
  const kept = [...answers].filter(([name, text]) => {
    left -= JSON.stringify([name, text]).length
    return left >= 0 && name !== 'ad'
  })
  return Object.fromEntries(kept)
}
