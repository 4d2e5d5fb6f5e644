/** HEAD asks for what GET answers, without its body: whatever a route declares for GET holds for both. */
export const methodOf = ({ method }: Request): string => (method === 'HEAD' ? 'GET' : method)

/** Where the parts of an address lie. Cut from the text, so that nothing a client wrote there can make it throw. */
const PARTS = /^[a-z]+:\/\/[^/?#]*([^?#]*)(\?[^#]*)?/

/** The path of a request's address. */
export const pathOf = (url: string): string => PARTS.exec(url)?.[1] ?? ''

const TWO_MEANINGS = /%(?:2e|2f|5c)|\\|\/\//i

/**
 * Whether a path, which begins at `start`, may be another one to a proxy: it has encoded separators or dots, or an
 * empty segment. Dot segments and plain backslashes are not seen here: Bun has resolved them before.
 */
export function isAmbiguous(url: string, start: number): boolean {
  const mark = url.indexOf('?', start)
  return TWO_MEANINGS.test(url.slice(start, mark === -1 ? undefined : mark))
}

/** The query of a request's address. */
export const queryOf = (url: string): URLSearchParams => new URLSearchParams(PARTS.exec(url)?.[2] ?? '')
