import { mail } from './de/mail.ts'
import { problems } from './de/problems.ts'
import type { en } from './en.ts'

/** Sentences in German, by the keys of `en.ts`; one that is not here yet is said in English. */
export const de: Readonly<Partial<Record<keyof typeof en, string>>> = { ...mail, ...problems }
