import { AsyncLocalStorage } from 'node:async_hooks'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { createFormats } from './speaker.ts'

/** The key of a sentence of the catalogue; an unknown one does not compile. */
export type SentenceKey = keyof typeof en & string
type Values = Readonly<Record<string, string | number | Date>>

const formats: Readonly<Record<Language, ReturnType<typeof createFormats>>> = {
  en: createFormats(en),
  de: createFormats(en, 'de', de),
}
const spoken = new AsyncLocalStorage<Language>()

/** Returns the language of whoever gets the answer or mail; English if none is set. */
export const languageNow = (): Language => spoken.getStore() ?? 'en'

/** Calls `act` in a language, which `say` then uses, even after an await. */
export const inLanguage = <T>(language: Language, act: () => T): T =>
  language === languageNow() ? act() : spoken.run(language, act)

/**
 * Returns the sentence of the catalogue with `values` in it, in the language of the current recipient, or in the given
 * one. Throws if a value is missing.
 */
export const say = (key: SentenceKey, values?: Values, language: Language = languageNow()): string =>
  String(formats[language](key).format(values))

/** Returns a sentence in English whoever causes it, since it is stored and many people read it later. */
export const sayForAll = (key: SentenceKey, values?: Values): string => say(key, values, 'en')

/** Returns whether a text is the key of a sentence, for keys that are composed from a state or a reason. */
export const isSentenceKey = (text: string): text is SentenceKey => Object.hasOwn(en, text)
