/** The languages that people may choose; a sentence that one of them lacks is shown in English. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]
export const isLanguage = (text: string): text is Language => LANGUAGES.some((language) => language === text)

/** No browser sends a longer header; the rest of one is ignored. */
const MOST_CHARACTERS = 200
const RANGE = /^([a-z]{2,3})(?:-[a-z0-9-]*)?(?:;q=([01](?:\.\d{0,3})?))?$/i

/** Returns the one of our languages that an `Accept-Language` (RFC 9110), or a tag such as `de-AT`, prefers. */
export function pickLanguage(accepted: string | null | undefined): Language {
  let best: Language = 'en'
  let weight = 0
  for (const range of accepted?.slice(0, MOST_CHARACTERS).replaceAll(' ', '').split(',') ?? []) {
    const [, name = '', q = '1'] = RANGE.exec(range) ?? []
    const language = name.toLowerCase()
    if (!isLanguage(language) || Number(q) <= weight) continue
    best = language
    weight = Number(q)
  }
  return best
}

/**
 * Returns the variant of a language, such as `en-GB`, that a browser prefers. Without one, English is that of Britain,
 * whose days stand before the months as in the other languages.
 */
export const pickLocale = (language: Language, preferred: readonly string[]): string =>
  preferred.find((tag) => tag === language || tag.startsWith(`${language}-`)) ??
  (language === 'en' ? 'en-GB' : language)
