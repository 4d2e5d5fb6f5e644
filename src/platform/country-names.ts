import countries from 'i18n-iso-countries/index.js'
import english from 'i18n-iso-countries/langs/en.json'
import { USUAL_COUNTRY_NAMES } from '../words/usual-country-names.ts'

countries.registerLocale(english)

/** Files name countries in the languages of the people who write them. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'pl', 'ru', 'nl', 'el', 'tr', 'ar', 'he', 'zh', 'ja'] as const

/** Reduces a name to letters and single blanks, so that case, accents, signs, “the” and “&” make no difference. */
const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\bthe\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim()

let known: ReadonlyMap<string, string> | undefined
/** Returns the codes by name; usual names win over those of the runtime, whose “Congo” differs by language. */
function codesByName(): ReadonlyMap<string, string> {
  if (known) return known
  const codes = Object.keys(countries.getAlpha2Codes())
  const listed = codes.flatMap((code) =>
    LANGUAGES.map((language): [string, string] => [
      foldName(new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code),
      code,
    ]),
  )
  const registered = codes.flatMap((code) =>
    (countries.getName(code, 'en', { select: 'all' }) ?? []).map((name): [string, string] => [foldName(name), code]),
  )
  const usual = Object.entries(USUAL_COUNTRY_NAMES).flatMap(([code, names]) =>
    names.split('|').map((name): [string, string] => [name, code]),
  )
  known = new Map([...listed, ...registered, ...usual])
  return known
}

/**
 * Returns the ISO 3166-1 alpha-2 code of a country, read from a code of two or three letters or from its name as people
 * and lists write it, in any of several languages; undefined if no country is called so.
 */
export function readCountryName(text: string): string | undefined {
  const upper = text.trim().toUpperCase()
  if (/^[A-Z]{2}$/.test(upper) && countries.isValid(upper)) return upper
  if (/^[A-Z]{3}$/.test(upper)) {
    const code = countries.alpha3ToAlpha2(upper)
    if (code !== undefined) return code
  }
  const name = foldName(text)
  // lists write “Korea (Republic of)” and “Macedonia, The Former Yugoslav Republic of”
  return codesByName().get(name) ?? codesByName().get(name.replace(/ (republic of|rep|republic)$/, ''))
}
