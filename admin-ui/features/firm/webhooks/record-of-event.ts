import type { SentenceKey } from './words.ts'

const PAGES: readonly { id: string; at: string; key: SentenceKey }[] = [
  { id: 'depositId', at: '/deposits/', key: 'webhooks.about.deposit' },
  { id: 'withdrawalId', at: '/withdrawals/', key: 'webhooks.about.withdrawal' },
  { id: 'submissionId', at: '/kyc/', key: 'webhooks.about.submission' },
  { id: 'ticketId', at: '/support/', key: 'webhooks.about.ticket' },
  { id: 'traderId', at: '/traders/', key: 'webhooks.about.client' },
]

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // A body may one day not be JSON; then the page has no link.
    return null
  }
}

/** Returns the page of the record that a signed body is about, and the key of its name; null where it has no page. */
export function findRecordLink(text: string): { to: string; key: SentenceKey } | null {
  const body = parsed(text)
  const payload: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'payload') : null
  if (typeof payload !== 'object' || payload === null) return null
  for (const { id, at, key } of PAGES) {
    const value: unknown = Reflect.get(payload, id)
    if (typeof value === 'string') return { to: at + value, key }
  }
  return null
}
