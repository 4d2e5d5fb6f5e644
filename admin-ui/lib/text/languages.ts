import type { Choice } from './choices.ts'
import { locale } from './language.ts'

const CODES =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km ko ky lo lt lv mk ml mn mr ms mt my nb ne nl pa pl ps pt ro ru si sk sl so sq sr sv sw ta te tg th tk tl tr uk ur uz vi zh zu'

const names = new Intl.DisplayNames(locale, { type: 'language' })

/** Returns the name of a language in the viewer's language: `de` → "German"; an unknown code stays a code. */
export const languageName = (code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

const choice = (value: string): Choice => ({ value, label: languageName(value) })
const KNOWN: readonly Choice[] = CODES.split(' ')
  .map(choice)
  .sort((a, b) => a.label.localeCompare(b.label))

/** Returns languages by name, and the present one too, such as `pt-BR`, if it is none of the usual ones. */
export const languageChoices = (set?: string | null): Choice[] =>
  set && !KNOWN.some(({ value }) => value === set) ? [choice(set), ...KNOWN] : [...KNOWN]
