import type { Word } from './words.ts'

const PAGES: readonly { id: string; at: string; word: Word }[] = [
  { id: 'depositId', at: '/deposits/', word: 'webhooks.about.deposit' },
  { id: 'withdrawalId', at: '/withdrawals/', word: 'webhooks.about.withdrawal' },
  { id: 'submissionId', at: '/kyc/', word: 'webhooks.about.submission' },
  { id: 'ticketId', at: '/support/', word: 'webhooks.about.ticket' },
  { id: 'traderId', at: '/traders/', word: 'webhooks.about.client' },
]

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // What was sent need not be JSON for ever; then it leads nowhere.
    return null
  }
}

/** The page of the record that an event is about, by its signed body, and what it is called; null where it has none. */
export function placeOf(text: string): { to: string; word: Word } | null {
  const body = parsed(text)
  const payload: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'payload') : null
  if (typeof payload !== 'object' || payload === null) return null
  for (const { id, at, word } of PAGES) {
    const value: unknown = Reflect.get(payload, id)
    if (typeof value === 'string') return { to: at + value, word }
  }
  return null
}
