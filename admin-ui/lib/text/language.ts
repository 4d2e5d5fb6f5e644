import { isLanguage, LANGUAGES, type Language, pickLanguage, pickLocale } from '../../../src/words/language.ts'

/** The key under which a browser stores the language that its reader chose. */
const CHOSEN = 'language'

/** The language of this page from its first sentence on: the chosen one, or the browser's. */
export const language: Language = pickLanguage(localStorage.getItem(CHOSEN) ?? navigator.languages.join(','))
document.documentElement.lang = language

/** The reader's own variant of that language, such as `en-GB`, for dates and numbers. */
export const locale: string = pickLocale(language, navigator.languages)

/** The sentences of that language, once they are loaded; English needs none. */
export const translated: Record<string, string> = {}

/** Loads the sentences of the reader's language. A sentence that is used before is English. */
export async function loadLanguage(): Promise<void> {
  if (language === 'de') Object.assign(translated, (await import('../../../src/words/de.ts')).de)
}

/** The languages that a reader may choose, each by its own name. */
export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({
  value,
  label: new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value,
}))

/** Reloads the page in the language that its reader chose, if it is another one. */
export function speak(chosen: string | null): void {
  if (chosen === null || chosen === language || !isLanguage(chosen)) return
  localStorage.setItem(CHOSEN, chosen)
  location.reload()
}
