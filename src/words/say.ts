import { en } from './en.ts'
import { formatsOf } from './speaker.ts'

/** A sentence of the catalogue. One that is not there does not compile. */
export type Word = keyof typeof en & string
type Values = Readonly<Record<string, string | number | Date>>

const formatOf = formatsOf(en)

/** What a person reads: the sentence of the catalogue with `values` in it. Throws where a value is missing. */
export const say = (word: Word, values?: Values): string => String(formatOf(word).format(values))

/** Whether a text is the key of a sentence: for words that are made of a state or a reason. */
export const isWord = (text: string): text is Word => Object.hasOwn(en, text)
