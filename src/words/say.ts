import { AsyncLocalStorage } from 'node:async_hooks'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { formatsOf } from './speaker.ts'

/** A sentence of the catalogue. One that is not there does not compile. */
export type Word = keyof typeof en & string
type Values = Readonly<Record<string, string | number | Date>>

const formats: Readonly<Record<Language, ReturnType<typeof formatsOf>>> = {
  en: formatsOf(en),
  de: formatsOf(en, 'de', de),
}
const spoken = new AsyncLocalStorage<Language>()

/** The language of whoever is answered or written to; English where nobody said. */
export const languageNow = (): Language => spoken.getStore() ?? 'en'

/** Does something in a language: what `say` says meanwhile is in it, also after what is awaited. */
export const inLanguage = <T>(language: Language, act: () => T): T =>
  language === languageNow() ? act() : spoken.run(language, act)

/**
 * What a person reads: the sentence of the catalogue with `values` in it, in the language of whoever is answered, or in
 * the one that is given. Throws where a value is missing.
 */
export const say = (word: Word, values?: Values, language: Language = languageNow()): string =>
  String(formats[language](word).format(values))

/** As `say`, of what is kept for everybody to read later, whoever causes it: in English. */
export const sayForAll = (word: Word, values?: Values): string => say(word, values, 'en')

/** Whether a text is the key of a sentence: for words that are made of a state or a reason. */
export const isWord = (text: string): text is Word => Object.hasOwn(en, text)
