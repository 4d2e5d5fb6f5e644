/** Returns GET for HEAD, which gets the same answer without a body: what a route declares for GET holds for both. */
export const readMethod = ({ method }: Request): string => (method === 'HEAD' ? 'GET' : method)

/** The parts of an address, cut from the text, so that no client's text can make it throw. */
const PARTS = /^[a-z]+:\/\/[^/?#]*([^?#]*)(\?[^#]*)?/

export const readUrlPath = (url: string): string => PARTS.exec(url)?.[1] ?? ''

const TWO_MEANINGS = /%(?:2e|2f|5c)|\\|\/\//i

/**
 * Returns whether a proxy could read a path, which begins at `start`, as another one: it has encoded separators or
 * dots, or an empty segment. Bun has resolved dot segments and plain backslashes before.
 */
export function isAmbiguous(url: string, start: number): boolean {
  const mark = url.indexOf('?', start)
  return TWO_MEANINGS.test(url.slice(start, mark === -1 ? undefined : mark))
}

export const readUrlQuery = (url: string): URLSearchParams => new URLSearchParams(PARTS.exec(url)?.[2] ?? '')
