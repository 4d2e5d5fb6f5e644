import type { Choice } from '../../../lib/text/choices.ts'
import { humanize } from '../../../lib/text/format.ts'
import { type SentenceKey, say } from './words.ts'

const KNOWN: Readonly<Record<string, SentenceKey>> = {
  general: 'support.category.general',
  account: 'support.category.account',
  complaint: 'support.category.complaint',
  documents: 'support.category.documents',
  payments: 'support.category.payments',
  platform: 'support.category.platform',
  trading: 'support.category.trading',
}

/** Names a category; one that a program of the firm invented is shown as readable text. */
export const categoryName = (category: string): string => {
  const key = Object.hasOwn(KNOWN, category) ? KNOWN[category] : undefined
  return key ? say(key) : humanize(category)
}

/** Lists the categories to choose from, and the one that a ticket has now. */
export const categoryChoices = (now?: string): Choice[] => {
  const known = Object.keys(KNOWN)
  return [...known, ...(now && !known.includes(now) ? [now] : [])].map((value) => ({
    value,
    label: categoryName(value),
  }))
}
