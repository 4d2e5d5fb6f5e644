import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** A firm may have this many subscriptions, since each of them gets the firm's events. */
export const MAX_SUBSCRIPTIONS = 50

export const webhookErrors = defineErrors('webhooks', () => ({
  too_many: [409, say('webhooks.error.too_many', { maxSubscriptions: MAX_SUBSCRIPTIONS })],
  disabled: [409, say('webhooks.error.disabled')],
  stands_still: [409, say('webhooks.error.stands_still')],
  not_standing: [409, say('webhooks.error.not_standing')],
  yours: [403, say('webhooks.error.yours')],
}))
