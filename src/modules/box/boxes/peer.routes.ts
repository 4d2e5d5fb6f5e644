import { Elysia } from 'elysia'
import { TASK_PATH } from '../../../platform/peer/away.ts'
import type { createCallCheck } from '../../../platform/peer/peer-signature.ts'
import { notFound } from '../../../platform/problem.ts'
import type { Sight } from '../../../platform/standby/sight.ts'
import { doForPrimary, LARGEST_ORDER, readOrder } from '../standby/peer-task.ts'
import type { BoxSelf } from './boxes.model.ts'
import { PEER_PATH } from './boxes.service.ts'

const HEADER = 'x-crm-box'

/**
 * What boxes ask each other. They are no part of the document: whoever has not the key of the installation sees no
 * difference from paths that do not exist.
 */
export const peerRoutes = (parts: {
  isCall: ReturnType<typeof createCallCheck>
  describeSelf: () => Promise<BoxSelf>
  standby: Sight | null
  schema: number
}) => {
  const { isCall, describeSelf, standby, schema } = parts
  const hide = { detail: { hide: true } }
  return new Elysia()
    .get(
      PEER_PATH,
      ({ request }) => {
        if (!isCall(request.headers.get(HEADER), { method: 'GET', path: PEER_PATH, body: '' })) throw notFound()
        return describeSelf()
      },
      hide,
    )
    .post(
      TASK_PATH,
      async ({ request }) => {
        const header = request.headers.get(HEADER)
        const size = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
        if (!standby || header === null || !(size <= LARGEST_ORDER)) throw notFound()
        const body = await request.text()
        const order = isCall(header, { method: 'POST', path: TASK_PATH, body }) ? readOrder(body) : undefined
        if (!order) throw notFound()
        return doForPrimary(order, { standby, ownSchema: schema, signal: request.signal })
      },
      { parse: 'none', detail: { hide: true } },
    )
}
