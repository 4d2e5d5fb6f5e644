import type { Word } from '../../../src/words/say.ts'

const PAGES: readonly { id: string; at: string; word: Word }[] = [
  { id: 'depositId', at: '/deposits/', word: 'webhooks.about.deposit' },
  { id: 'withdrawalId', at: '/withdrawals/', word: 'webhooks.about.withdrawal' },
  { id: 'submissionId', at: '/kyc/', word: 'webhooks.about.submission' },
  { id: 'ticketId', at: '/support/', word: 'webhooks.about.ticket' },
  { id: 'traderId', at: '/traders/', word: 'webhooks.about.client' },
]

/** The page of the record that an event is about, and what it is called; null where it has none. */
export function placeOf(body: unknown): { to: string; word: Word } | null {
  const payload: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'payload') : null
  if (typeof payload !== 'object' || payload === null) return null
  for (const { id, at, word } of PAGES) {
    const value: unknown = Reflect.get(payload, id)
    if (typeof value === 'string') return { to: at + value, word }
  }
  return null
}
