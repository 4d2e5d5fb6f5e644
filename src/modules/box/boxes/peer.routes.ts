import { Elysia } from 'elysia'
import { TASK_PATH } from '../../../platform/peer/away.ts'
import { type createCallCheck, signAnswer } from '../../../platform/peer/peer-signature.ts'
import { notFound } from '../../../platform/problem.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Sight } from '../../../platform/standby/sight.ts'
import { doForPrimary, LARGEST_ORDER, readOrder } from '../standby/peer-task.ts'
import type { BoxSelf } from './boxes.model.ts'
import { PEER_PATH } from './boxes.service.ts'

const HEADER = 'x-crm-box'

/** Signs an answer to the call that had this header, so that nobody else can give it. */
async function sign(secrets: Pick<SecretBox, 'sign'>, call: string, answer: Response): Promise<Response> {
  const { status, headers } = answer
  const body = new Uint8Array(await answer.arrayBuffer())
  headers.set(HEADER, signAnswer(secrets, call, { status, age: headers.get('x-crm-age') ?? '', body }))
  return new Response(body, { status, headers })
}

/**
 * What boxes ask each other. They are no part of the document: whoever has not the key of the installation sees no
 * difference from paths that do not exist.
 */
export const peerRoutes = (parts: {
  isCall: ReturnType<typeof createCallCheck>
  secrets: Pick<SecretBox, 'sign'>
  describeSelf: () => Promise<BoxSelf>
  standby: Sight | null
  schema: number
}) => {
  const { isCall, secrets, describeSelf, standby, schema } = parts
  const hide = { detail: { hide: true } }
  return new Elysia()
    .get(
      PEER_PATH,
      async ({ request }) => {
        const header = request.headers.get(HEADER)
        if (header === null || !isCall(header, { method: 'GET', path: PEER_PATH, body: '' })) throw notFound()
        return sign(secrets, header, Response.json(await describeSelf()))
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
        const answer = await doForPrimary(order, { standby, ownSchema: schema, signal: request.signal })
        return sign(secrets, header, answer)
      },
      { parse: 'none', detail: { hide: true } },
    )
}
