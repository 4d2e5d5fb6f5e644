import { readUrlPath } from '../body/request-line.ts'

type Headers = Record<string, string | number>

/** The headers of our answers that a page of another origin may read. */
const EXPOSED = [
  'etag',
  'x-request-id',
  'retry-after',
  'idempotent-replayed',
  'allow',
  'x-ratelimit-tracker',
  ...['limit', 'remaining', 'reset'].flatMap((what) =>
    ['short', 'medium', 'long'].map((tier) => `x-ratelimit-${what}-${tier}`),
  ),
].join(', ')

function allowAnybody(headers: Headers): void {
  headers['access-control-allow-origin'] = '*'
  headers['access-control-allow-headers'] = 'content-type'
  headers['access-control-allow-methods'] = 'POST'
  headers['access-control-max-age'] = '86400'
}

function allowOrigin(origin: string, headers: Headers): void {
  headers['access-control-allow-origin'] = origin
  headers['access-control-allow-headers'] = 'content-type, x-api-key, idempotency-key, if-match, if-none-match'
  headers['access-control-allow-methods'] = 'GET, POST, PUT, PATCH, DELETE'
  headers['access-control-expose-headers'] = EXPOSED
  headers.vary = 'Origin'
}

/** Lets pages of other origins call the API: those of `allowedOrigins`, and any page if a route is open to all. */
export function createCors(allowedOrigins: readonly string[]) {
  const origins = new Set(allowedOrigins)
  /** Addresses that pages of any origin may call, without credentials; they show nobody's data. */
  const open = new Set<string>()
  return {
    /** Called once with every route of the whole application. */
    learn: (routes: readonly { path: string; hooks?: { detail?: object } }[]): void => {
      for (const { path, hooks } of routes) if (hooks?.detail && 'x-any-origin' in hooks.detail) open.add(path)
    },
    /** Writes what a page may do into `headers`; returns whether a preflight of this address is answered here. */
    allow: (request: Request, headers: Headers): boolean => {
      if (open.size > 0 && open.has(readUrlPath(request.url))) {
        allowAnybody(headers)
        return true
      }
      if (origins.size === 0) return false
      const origin = request.headers.get('origin')
      if (origin !== null && origins.has(origin)) allowOrigin(origin, headers)
      return true
    },
  }
}
