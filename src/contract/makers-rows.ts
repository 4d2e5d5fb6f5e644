import type { Explanation } from '../modules/clients/sanctions/matcher.ts'
import { sanctionsHits } from '../modules/clients/sanctions/sanctions.table.ts'
import { webhookSubscriptions } from '../modules/firm/webhooks/webhooks.table.ts'
import type { Room } from './seed-room.ts'

export const AD_CREDENTIALS = {
  accessToken: 'EAAB-the-access-token-of-the-tests-0001',
  appSecret: 'the-app-secret-of-the-tests-0002',
  verifyToken: 'the-verify-token-of-the-tests-0003',
}

/** Returns makers of single rows that belong to a client, to the firm or to its connections. */
export function rowMakers({ app, firm, ctx, next, unique, email, did, post, readId }: Room, receiver: string) {
  const { owner } = firm.as
  const make = {
    rate: async () => {
      const { data } = await post('/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'PLN', rate: '4.3' }] })
      return String(data.find((rate: { quote: string }) => rate.quote === 'PLN').id)
    },
    hit: async (traderId: string) => {
      const explanation: Explanation = { listedAs: 'X', nameScore: 90, words: [], birth: 'unknown', country: 'unknown' }
      const facts = { traderId, source: 'un', name: 'X', score: 90, listHash: 'h', explanation } as const
      return (await ctx.write('sanctions.hit', (tx) => tx.insert(sanctionsHits, { ...facts, reference: unique('R') })))
        .id
    },
    lead: () => readId(post('/v1/leads', { email: email(), firstName: 'Lea', source: 'fair' })),
    ticket: (traderId: string) => readId(post('/v1/support/tickets', { traderId, subject: 'Help', body: 'It broke.' })),
    position: async (accountNumber: string) => {
      const at = {
        ticket: unique('t'),
        accountNumber,
        symbol: 'EURUSD',
        side: 'long',
        volume: '0.10',
        openPrice: '1.1',
      }
      const position = { ...at, currentPrice: '1.2', profit: '10', openedAt: '2026-01-10T09:00:00Z' }
      const sequence = next()
      const head = { platform: 'terminal5', server: unique('s'), sequence, mode: 'delta' }
      await post('/v1/positions/sync', { ...head, positions: [position] })
      const { data } = await did(app.call('GET', '/v1/positions?limit=200', { as: owner }))
      return String(data.find((row: { ticket: string }) => row.ticket === at.ticket).id)
    },
    /** Makes a connection to an ad platform, with its own page. */
    adConnection: async () => {
      const page = `${Number.parseInt(firm.slug, 36) % 1e6}${next()}`
      const body = { platform: 'social', name: unique('ads'), credentials: AD_CREDENTIALS, pageIds: [page] }
      return { id: await readId(post('/v1/ads/connections', body)), page }
    },
    subscription: () => readId(post('/v1/webhooks/subscriptions', { url: receiver, events: ['trader.created'] })),
    /** Makes a subscription whose creator has left the firm. */
    subscriptionLeft: async () => {
      const id = await make.subscription()
      await ctx.write(
        'test.left',
        (tx) => tx.update(webhookSubscriptions, id, { madeBy: 'usr_left', hands: ['usr_left'] }).id,
      )
      return id
    },
    /** Makes a finished delivery of a subscription. */
    delivery: (subscriptionId: string) => readId(post(`/v1/webhooks/subscriptions/${subscriptionId}/test`)),
    note: (traderId: string) => readId(post(`/v1/traders/${traderId}/notes`, { body: 'a note' })),
  }
  return make
}
