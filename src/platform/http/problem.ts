/** One field that is wrong: `path` is a dotted path into the body, or `query.x`, `header.x`, `path.x`. */
export type FieldError = { path: string; code: string; message: string }

/** RFC 9457 problem, thrown anywhere below a route and turned into the answer by the one `onError`. */
export class Problem extends Error {
  override name = 'Problem'
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly errors: readonly FieldError[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Malformed request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Conflict',
  410: 'Gone',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Unsupported content type',
  421: 'Unknown host',
  422: 'Invalid input',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Not available now',
}

/** The wire form of a problem. `requestId` finds the log line. */
export function problemBody(problem: Problem, requestId: string) {
  return {
    type: `urn:brokerbase:problem:${problem.code}`,
    title: TITLES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    errors: problem.errors,
    requestId,
  }
}

type Definition = readonly [status: number, detail: string]
type Factories<D extends Record<string, Definition>> = {
  readonly [K in keyof D]: (facts?: { detail?: string; errors?: readonly FieldError[] }) => Problem
}

/**
 * The errors of one module: `defineErrors('deposits', { not_pending: [409,
 * '…'] })` → `errors.not_pending()`. Without an area the code stands alone.
 */
export function defineErrors<const D extends Record<string, Definition>>(area: string, definitions: D): Factories<D> {
  const factories: Record<string, (facts?: { detail?: string; errors?: readonly FieldError[] }) => Problem> = {}
  for (const [code, [status, detail]] of Object.entries(definitions)) {
    factories[code] = (facts) =>
      new Problem(status, area === '' ? code : `${area}.${code}`, facts?.detail ?? detail, facts?.errors)
  }
  return factories as Factories<D>
}

/** The 404 of an absent row and, byte for byte, of another tenant's. */
export const notFound = () => new Problem(404, 'not_found', 'There is nothing here.')

/** A 422 that names one field. */
export const invalid = (path: string, code: string, message: string) =>
  new Problem(422, 'validation', 'Some fields are not valid.', [{ path, code, message }])

/** A 409 on a state that does not allow the change; names the current state. */
export const wrongState = (entity: string, status: string) =>
  new Problem(409, 'wrong_state', `The ${entity} is ${status.replaceAll('_', ' ')}; this cannot be done any more.`, [
    { path: 'status', code: 'wrong_state', message: `Current state: ${status}` },
  ])

export const versionConflict = (current: number) =>
  new Problem(412, 'version_conflict', 'Somebody changed this meanwhile. Load it again and repeat.', [
    { path: 'header.if-match', code: 'version_conflict', message: `Current version: ${current}` },
  ])
