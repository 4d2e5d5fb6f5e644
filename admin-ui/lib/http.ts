/** One field's error, as the API names it. `path` is a JSON pointer or dotted path into the body. */
export type FieldError = { path: string; code: string; message: string }

/** The body of every error (RFC 9457). */
export type Problem = {
  status: number
  title: string
  detail?: string
  code?: string
  errors?: FieldError[]
  requestId?: string
}

/** What every failed call throws. `problem.status` is 0 when the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly retryAfter: number | null = null,
    /** Of a POST whose answer never came: which act it was, and that it may have been done. */
    readonly unanswered: string | null = null,
  ) {
    super(problem.detail ?? problem.title)
    this.name = 'ApiError'
  }
  get status(): number {
    return this.problem.status
  }
}

export const isApiError = (error: unknown, status?: number): error is ApiError =>
  error instanceof ApiError && (status === undefined || error.status === status)

/** The record changed since it was read: a newer version, or a state that no longer allows this. */
export const isConflict = (error: unknown): error is ApiError =>
  isApiError(error) && (error.status === 412 || MOVED_ON.has(error.problem.code ?? ''))

/** The record is no longer what this act is for: another state, or an approval that no longer holds. */
const MOVED_ON = new Set(['wrong_state', 'approval_lapsed', 'approval_void'])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isFieldError = (value: unknown): value is FieldError =>
  isObject(value) && typeof value.path === 'string' && typeof value.message === 'string'

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * Reads an error answer. Anything that is not problem+json (a proxy's page, say) becomes a plain one with the status.
 */
export const readProblem = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => undefined)
  const fields = isObject(body) ? body : {}
  const detail = text(fields.detail)
  const code = text(fields.code)
  const requestId = text(fields.requestId) ?? response.headers.get('x-request-id') ?? undefined
  const retryAfter = Number(response.headers.get('retry-after')) || null
  return new ApiError(
    {
      status: response.status,
      title: text(fields.title) ?? `The server answered ${response.status}`,
      ...(detail !== undefined && { detail }),
      ...(code !== undefined && { code }),
      ...(requestId !== undefined && { requestId }),
      errors: Array.isArray(fields.errors) ? fields.errors.filter(isFieldError) : [],
    },
    retryAfter,
  )
}

/**
 * Keys of requests on their way, and of those whose answer never came:
 * the same request again is then the same act, not a second one.
 */
const unanswered = new Map<string, string>()
const UNANSWERED_KEPT = 50
/** What is sent from now on is another act, even in the same words: the reader gave up the one without an answer. */
export const forgetUnanswered = (act: string): void => void unanswered.delete(act)
const keyOf = (act: string, given: string | null): string => {
  const key = given ?? unanswered.get(act) ?? newKey()
  unanswered.delete(act)
  unanswered.set(act, key)
  const [oldest] = unanswered.keys()
  if (unanswered.size > UNANSWERED_KEPT && oldest !== undefined) unanswered.delete(oldest)
  return key
}
/** Refusals that come before the key is looked at, or without knowing whether the first request was done. */
const INCONCLUSIVE = new Set([401, 403, 408, 429])
const settles = ({ status, problem }: ApiError): boolean =>
  status >= 400 && status < 500 && !INCONCLUSIVE.has(status) && problem.code !== 'idempotency_in_progress'

/**
 * `fetch` for the API: same origin, an Idempotency-Key on each POST (the same one
 * when what is repeated was never answered), and every failure an ApiError. What a
 * remedy cleared away is sent again with the same key; `rounds` counts how often.
 */
export const apiFetch = async (
  input: string | URL | Request,
  init: RequestInit = {},
  rounds = 0,
): Promise<Response> => {
  const headers = new Headers(init.headers)
  const act = init.method === 'POST' ? `${String(input)}\n${typeof init.body === 'string' ? init.body : ''}` : null
  // Remembered before it is sent: of two clicks the second repeats the first.
  const key = act === null ? null : keyOf(act, headers.get('idempotency-key'))
  if (key !== null) headers.set('idempotency-key', key)
  const lost = (status: number): ApiError =>
    act === null || signsIn(input, init)
      ? new ApiError({ status, title: UNREACHABLE })
      : new ApiError({ status, title: UNANSWERED }, null, act)
  const settle = (): void => {
    if (act !== null && unanswered.get(act) === key) unanswered.delete(act)
  }
  headers.set('accept', 'application/json, application/problem+json')
  const send = (): Promise<Response> =>
    fetch(input, { ...init, headers, credentials: 'same-origin' }).catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      throw lost(0)
    })
  let response = await send()
  const wait = Number(response.headers.get('retry-after'))
  // A short pause asked for by the rate limit is kept here, once. Sign-in shows its own, longer waits.
  if (response.status === 429 && wait > 0 && wait <= PATIENCE && !String(input).startsWith('/v1/auth/')) {
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    response = await send()
  }
  if (response.ok) {
    // An answer that breaks off is none: whoever reads it later could no longer repeat the act with its key.
    if (act !== null)
      await response
        .clone()
        .arrayBuffer()
        .catch(() => Promise.reject(lost(0)))
    settle()
    return response
  }
  if (NO_ANSWER.has(response.status)) throw lost(response.status)
  const refusal = await readProblem(response)
  if (settles(refusal)) settle()
  if (!signsIn(input, init) && rounds < MOST_ROUNDS) {
    // The same request with the same key: what was refused for who sent it, and not done, is done now.
    for (const remedy of remedies) if (await remedy(refusal)) return apiFetch(input, { ...init, headers }, rounds + 1)
  }
  throw refusal
}

/**
 * Clears away with the reader why a request was refused, say a
 * session that ended; true when the same request may be sent again.
 */
export type Remedy = (refusal: ApiError) => Promise<boolean>
const remedies = new Set<Remedy>()

/** Offers a remedy for refused requests until the returned function is called. */
export const offerRemedy = (remedy: Remedy): (() => void) => {
  remedies.add(remedy)
  return () => remedies.delete(remedy)
}

/** Requests that sign in or out, or prove who it is: their refusals are answers. */
const signsIn = (input: string | URL | Request, { method = 'GET' }: RequestInit): boolean =>
  method !== 'GET' && String(input).startsWith('/v1/auth/')

/** A refusal that comes back however often it is remedied is the answer. */
const MOST_ROUNDS = 3

/** What a proxy says that got no answer from the server. */
const NO_ANSWER = new Set([502, 504])
const UNREACHABLE = 'The server cannot be reached. Check the connection and try again.'
const UNANSWERED = 'No answer came. It may have been done: look before you enter it again.'

/** Seconds that a call waits by itself when the rate limit says so. */
const PATIENCE = 5

// crypto.randomUUID exists only on https and localhost; a console opened by IP over http has getRandomValues alone.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
