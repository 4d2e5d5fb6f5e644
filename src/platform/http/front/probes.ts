/** The paths at which load balancers and supervisors ask about the server; anybody may, under any host name. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/ready/primary', '/ready/read', '/metrics'])

/** The path of the answers that have no end; `src/contract/streams.test.ts` holds it against the routes. */
export const STREAM_PATH = '/v1/stream'

/**
 * Returns where the path of an address begins. HTTP/1.0 and simple checks of load balancers send no Host header, and
 * then the address is only a path.
 */
export const findPathStart = (url: string): number => (url.startsWith('/') ? 0 : url.indexOf('/', 8))

/**
 * Returns whether a request is such a question. All of the address after the host is compared: with a short host name,
 * the router would take what follows a “?” for the path.
 */
export const isProbe = ({ url }: Request): boolean => PROBES.has(url.slice(findPathStart(url)))
