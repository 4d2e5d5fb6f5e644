// the package's main entry requires language files by computed names, which the executable does not contain
import countries from 'i18n-iso-countries/index.js'
import { type CountryCode, getCountries, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import { readTable } from '../../../platform/embedded.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** Returns a valid ISO 3166-1 alpha-2 code, or throws the 422 on `country`. */
export function knownCountry(code: string): string {
  if (!countries.isValid(code)) throw invalid('country', 'unknown', say('client.field.country_unknown'))
  return code
}

let read: MetadataJson | undefined
/** Returns the table of telephone numbers; reads it at first use. */
function numbering(): MetadataJson {
  if (read) return read
  const table: MetadataJson = JSON.parse(readTable('phone-numbers'))
  read = table
  return table
}

const findRegion = (country: string | null | undefined): CountryCode | undefined =>
  country ? getCountries(numbering()).find((known) => known === country) : undefined

/** Returns a phone number as E.164; `country` says how to read a national number. 422 on `phone` if it is invalid. */
export function toE164(phone: string, country: string | null | undefined): string {
  const region = findRegion(country)
  const parsed = parsePhoneNumberFromString(phone, region ? { defaultCountry: region } : {}, numbering())
  if (!parsed?.isPossible()) {
    throw invalid('phone', 'format', say('client.field.phone_format'))
  }
  return parsed.number
}
