import { Type } from '@sinclair/typebox'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { constantTimeEqual } from '../../../platform/secrets.ts'
import { say } from '../../../words/say.ts'

const errors = defineErrors('system', () => ({
  metrics_closed: [403, say('system.error.metrics_closed'), say('system.todo.metrics_closed')],
}))

const Text = Type.Unsafe<Response>(
  Type.String({ description: 'Prometheus text format', contentMediaType: 'text/plain' }),
)
const BEARER = 'Bearer '

type Scraping = {
  metrics: { text(): Promise<string> }
  token: string | undefined
  /** Returns whether the request comes from this machine. */
  isLocal: (request: Request) => boolean
  /** Counts a request against its address; throws if there were too many. */
  countStranger: (request: Request, set: { headers: Record<string, string | number> }) => void
}

/**
 * The server's metrics for Prometheus. A caller without rights gets a 403 and not a 404: the operation is documented
 * anyway, and the answer says how to configure it.
 */
export const metricsRoutes = ({ metrics, token, isLocal, countStranger }: Scraping) => {
  const hasToken = ({ headers }: Request): boolean => {
    const given = headers.get('authorization')
    if (token === undefined || !given?.startsWith(BEARER)) return false
    return constantTimeEqual(given.slice(BEARER.length), token)
  }
  return declareRoutes('System').get(
    '/metrics',
    async ({ request, set }) => {
      if (!hasToken(request) && !isLocal(request)) {
        countStranger(request, set)
        throw errors.metrics_closed()
      }
      return new Response(await metrics.text(), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
      })
    },
    {
      access: 'public',
      ...op('system.metrics', 'Figures for Prometheus; from this machine or with a token only', { 200: Text }, [403]),
    },
  )
}
