import { language } from '../text/language.ts'
import { say } from '../text/words.ts'
import { currentView } from './viewed-person.ts'

/** One field's error, as the API names it. `path` is a JSON pointer or dotted path into the body. */
type FieldError = { path: string; code: string; message: string }

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
    /** Of a change whose answer never came: which act it was, and that it may have been done. */
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
      title: text(fields.title) ?? say('parts.http.status', { status: response.status }),
      ...(detail !== undefined && { detail }),
      ...(code !== undefined && { code }),
      ...(requestId !== undefined && { requestId }),
      errors: Array.isArray(fields.errors) ? fields.errors.filter(isFieldError) : [],
    },
    retryAfter,
  )
}

/** Changes on their way, and those whose answer never came. `lost` is set once an answer was waited for in vain. */
type Unsettled = { key: string; sentAt: number; lost: boolean }
/** The same change again is the same act, not a second one: it goes with the key of the first. */
const unanswered = new Map<string, Unsettled>()
const UNANSWERED_KEPT = 50
/** Whoever sends the same words so much later means another act. */
const UNANSWERED_LAPSES = 10 * 60_000
/** What is sent from now on is another act, even in the same words: the reader gave up the one without an answer. */
export const forgetUnanswered = (act: string): void => void unanswered.delete(act)
const unsettledOf = (act: string): Unsettled | null => {
  const known = unanswered.get(act)
  return known && Date.now() - known.sentAt < UNANSWERED_LAPSES ? known : null
}
const remember = (act: string, given: string | null): Unsettled => {
  const known = unsettledOf(act)
  const sent = { key: given ?? known?.key ?? newKey(), sentAt: Date.now(), lost: known?.lost ?? false }
  unanswered.delete(act)
  unanswered.set(act, sent)
  const [oldest] = unanswered.keys()
  if (unanswered.size > UNANSWERED_KEPT && oldest !== undefined) unanswered.delete(oldest)
  return sent
}
/** Refusals that come before the key is looked at, or without knowing whether the first request was done. */
const INCONCLUSIVE = new Set([401, 403, 408, 429])
const settles = ({ status, problem }: ApiError): boolean =>
  status >= 400 && status < 500 && !INCONCLUSIVE.has(status) && problem.code !== 'idempotency_in_progress'

/** When this browser, in any of its tabs, last began or ended to give its session another token. */
const RENEWED = 'session-renewed-at'
const RENEWS = /^\/v1\/auth\/(reauthenticate|change-password|2fa\/(enable|disable))$/
const noteRenewal = (input: string | URL | Request): void => {
  if (RENEWS.test(String(input))) localStorage.setItem(RENEWED, String(Date.now()))
}
/** Whether a request may have left with the token before, so that it is sent again without a word. */
const wasRenewed = (): boolean => Date.now() - Number(localStorage.getItem(RENEWED)) < LATE
/** A renewal that was so long ago has nothing to do with a refusal. */
const LATE = 3000
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let barred = false
/** Lets no change leave this page until the returned function is called. */
export const barChanges = (): (() => void) => {
  barred = true
  return () => {
    barred = false
  }
}

/** Whether each field of what was sent stands in the answer as it was sent. */
const holds = (record: unknown, sent: unknown): boolean =>
  isObject(sent) && !Array.isArray(sent)
    ? isObject(record) && Object.entries(sent).every(([field, value]) => holds(record[field], value))
    : JSON.stringify(record) === JSON.stringify(sent)

const headersOf = (init: RequestInit): Headers => {
  const headers = new Headers(init.headers)
  headers.set('accept', 'application/json, application/problem+json')
  headers.set('accept-language', language)
  return headers
}

/** The record as it stands, if it holds what was sent: the change was made, and only its answer was lost. */
const madeAlready = async (input: string | URL | Request, sent: string): Promise<Response | null> => {
  const now = await fetch(input, { headers: { accept: 'application/json' }, credentials: 'same-origin' }).catch(
    () => null,
  )
  if (!now?.ok) return null
  const record: unknown = await now
    .clone()
    .json()
    .catch(() => null)
  return holds(record, JSON.parse(sent || 'null')) ? now : null
}

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
  const { method = 'GET' } = init
  if (barred && method !== 'GET') throw new ApiError({ status: 409, title: BARRED })
  const headers = headersOf(init)
  const body = typeof init.body === 'string' ? init.body : ''
  const act = method === 'GET' ? null : `${method} ${String(input)}\n${body}`
  // Remembered before it is sent: of two clicks the second repeats the first.
  const sent = act === null ? null : remember(act, headers.get('idempotency-key'))
  if (sent !== null && method === 'POST') headers.set('idempotency-key', sent.key)
  const lost = (status: number): ApiError => {
    if (act === null || ASKS_ONLY.test(String(input))) return new ApiError({ status, title: UNREACHABLE })
    const known = unanswered.get(act)
    if (known) known.lost = true
    return new ApiError({ status, title: UNANSWERED }, null, act)
  }
  const settle = (): void => {
    if (act !== null && unanswered.get(act)?.key === sent?.key) unanswered.delete(act)
  }
  const view = currentView()
  if (view) headers.set('x-crm-view', view.token)
  const send = (): Promise<Response> =>
    fetch(input, { ...init, headers, credentials: 'same-origin' }).catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      throw lost(0)
    })
  noteRenewal(input)
  let response = await send()
  noteRenewal(input)
  const wait = Number(response.headers.get('retry-after'))
  // A short pause asked for by the rate limit is kept here, once. Sign-in shows its own, longer waits.
  if (response.status === 429 && wait > 0 && wait <= PATIENCE && !String(input).startsWith('/v1/auth/')) {
    await pause(wait * 1000)
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
  // The version that stands in the way of a repeated change may be the one that it made itself.
  const made = method === 'PATCH' && response.status === 412 && sent?.lost ? await madeAlready(input, body) : null
  if (settles(refusal)) settle()
  if (made) return made
  // The same request with the same key: what was refused for who sent it, and not done, is done now.
  if (!signsIn(input, init) && rounds < MOST_ROUNDS && (await mayRepeat(refusal, rounds)))
    return apiFetch(input, { ...init, headers }, rounds + 1)
  throw refusal
}

/**
 * Clears away with the reader why a request was refused, say a
 * session that ended; true when the same request may be sent again.
 */
type Remedy = (refusal: ApiError) => Promise<boolean>
const remedies = new Set<Remedy>()

/** Whether a refused request may be sent again: its session has another token meanwhile, or a remedy was found. */
const mayRepeat = async (refusal: ApiError, rounds: number): Promise<boolean> => {
  if (refusal.status === 401 && rounds < MOST_ROUNDS - 1 && wasRenewed()) {
    // the cookie of the renewal may still be on its way
    await pause(300)
    return true
  }
  for (const remedy of remedies) if (await remedy(refusal)) return true
  return false
}

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

/** What signs in or out, or only asks for a mail or a code: it is simply tried again. */
const ASKS_ONLY = /^\/v1\/auth\/(login|logout|reauthenticate|forgot|2fa\/setup)$/

/** What a proxy says that got no answer from the server. */
const NO_ANSWER = new Set([502, 504])
const UNREACHABLE = say('parts.http.unreachable')
const BARRED = say('parts.http.other_session')
const UNANSWERED = say('parts.http.unanswered')

/** Seconds that a call waits by itself when the rate limit says so. */
const PATIENCE = 5

// crypto.randomUUID exists only on https and localhost; a console opened by IP over http has getRandomValues alone.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
