/** HEAD asks for what GET answers, without its body: whatever a route declares for GET holds for both. */
export const methodOf = ({ method }: Request): string => (method === 'HEAD' ? 'GET' : method)

/** Where the parts of an address lie. Cut from the text, so that nothing a client wrote there can make it throw. */
const PARTS = /^[a-z]+:\/\/[^/?#]*([^?#]*)(\?[^#]*)?/

/** The path of a request's address. */
export const pathOf = (url: string): string => PARTS.exec(url)?.[1] ?? ''

/** The query of a request's address. */
export const queryOf = (url: string): URLSearchParams => new URLSearchParams(PARTS.exec(url)?.[2] ?? '')
