import { secretsAt } from '../../modules/firm/webhooks/webhooks.sign.ts'
import { webhookSubscriptions } from '../../modules/firm/webhooks/webhooks.table.ts'
import { systemCtx } from '../../platform/access/ctx.ts'
import type { EventName } from '../../platform/events/catalogue.ts'
import type { Platform } from '../../platform/platform.ts'
import { constantTimeEqual, hmacSha256Hex } from '../../platform/secrets.ts'

/** The subscription of the demo's receiver, whose port changes at each start. */
export const DEMO_SUBSCRIPTION: { url: string; events: EventName[] } = {
  url: 'http://127.0.0.1:9/webhooks',
  events: [
    'trader.created',
    'trader.updated',
    'trader.deleted',
    'deposit.created',
    'deposit.settled',
    'deposit.failed',
    'withdrawal.requested',
    'withdrawal.approved',
    'withdrawal.paid',
    'withdrawal.rejected',
    'kyc.approved',
    'kyc.rejected',
    'support.ticket_created',
  ],
}

/**
 * Starts a receiver on this machine that checks each signature, and directs the demo firm's subscription to it, so that
 * arriving webhooks can be seen.
 */
export async function startDemoReceiver(platform: Platform, tenantId: string): Promise<{ stop(): Promise<void> }> {
  const ctx = systemCtx(platform, tenantId, 'demo')
  let url = ''
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request): Promise<Response> => {
      const body = await request.text()
      const [row] = ctx.db.list(webhookSubscriptions, { url })
      const signature = request.headers.get('x-crm-signature') ?? ''
      const signed =
        row &&
        secretsAt(ctx.secrets, row, ctx.now()).some((secret) =>
          constantTimeEqual(hmacSha256Hex(secret, body), signature),
        )
      return signed
        ? new Response('received, the signature is right')
        : new Response('the signature is not right', { status: 401 })
    },
  })
  url = `http://127.0.0.1:${server.port}/webhooks`
  await ctx.write('demo.receiver', (tx) => {
    const [subscription] = tx.list(webhookSubscriptions, {}, { orderBy: 'createdAt', limit: 1 })
    if (subscription) tx.update(webhookSubscriptions, subscription.id, { url })
    return null
  })
  return { stop: () => server.stop(true) }
}
