import { bulk } from './de/bulk.ts'
import { deposits } from './de/deposits.ts'
import { common } from './de/everywhere.ts'
import { fields } from './de/fields.ts'
import { lists } from './de/lists.ts'
import { mail } from './de/mail.ts'
import { money } from './de/money.ts'
import { notifications } from './de/notifications.ts'
import { palette } from './de/palette.ts'
import { parts } from './de/parts.ts'
import { problems } from './de/problems.ts'
import { shell } from './de/shell.ts'
import { withdrawals } from './de/withdrawals.ts'
import type { en } from './en.ts'

/** Sentences in German, by the keys of `en.ts`; one that is not here yet is said in English. */
export const de: Readonly<Partial<Record<keyof typeof en, string>>> = {
  ...bulk,
  ...common,
  ...deposits,
  ...fields,
  ...lists,
  ...mail,
  ...money,
  ...notifications,
  ...palette,
  ...parts,
  ...problems,
  ...shell,
  ...withdrawals,
}
