import { language } from '../text/language.ts'
import { say } from '../text/words.ts'
import { noteStandby } from './standby.ts'
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

/** The error of every failed call. `problem.status` is 0 if the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly retryAfter: number | null = null,
    /** The id of a change whose answer was lost, and which may have been done. */
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

/**
 * Returns whether the record changed since it was read: it has a newer version, or a state that does not allow the
 * action.
 */
export const isConflict = (error: unknown): error is ApiError =>
  isApiError(error) && (error.status === 412 || MOVED_ON.has(error.problem.code ?? ''))

/** The record is no longer fit for this action: it has another state, or its approval no longer counts. */
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

/** A change on its way, or one whose answer was lost. `lost` is set once it is clear that no answer comes. */
type Unsettled = { key: string; sentAt: number; lost: boolean }
/** The same change repeated uses the key of the first, so that it is not done twice. */
const unanswered = new Map<string, Unsettled>()
const UNANSWERED_KEPT = 50
/** The same values sent after this time are a new change. */
const UNANSWERED_LAPSES = 10 * 60_000
/** Gives up a change without an answer: the same values sent later are a new change. */
export const forgetUnanswered = (act: string): void => void unanswered.delete(act)
const findUnsettled = (act: string): Unsettled | null => {
  const known = unanswered.get(act)
  return known && Date.now() - known.sentAt < UNANSWERED_LAPSES ? known : null
}
const remember = (act: string, given: string | null): Unsettled => {
  const known = findUnsettled(act)
  const sent = { key: given ?? known?.key ?? newKey(), sentAt: Date.now(), lost: known?.lost ?? false }
  unanswered.delete(act)
  unanswered.set(act, sent)
  const [oldest] = unanswered.keys()
  if (unanswered.size > UNANSWERED_KEPT && oldest !== undefined) unanswered.delete(oldest)
  return sent
}
/** These refusals come before the key is checked, or do not tell whether the first request was done. */
const INCONCLUSIVE = new Set([401, 403, 408, 429])
const settles = ({ status, problem }: ApiError): boolean =>
  status >= 400 && status < 500 && !INCONCLUSIVE.has(status) && problem.code !== 'idempotency_in_progress'

/** The storage key of the time at which a tab of this browser last began or finished renewing the session's token. */
const RENEWED = 'session-renewed-at'
const RENEWS = /^\/v1\/auth\/(reauthenticate|change-password|2fa\/(enable|disable))$/
const noteRenewal = (input: string | URL | Request): void => {
  if (RENEWS.test(String(input))) localStorage.setItem(RENEWED, String(Date.now()))
}
/** Returns whether a request may have been sent with the former token, so that it is repeated without a question. */
const wasRenewed = (): boolean => Date.now() - Number(localStorage.getItem(RENEWED)) < LATE
/** A renewal that is older than this many milliseconds does not explain a refusal. */
const LATE = 3000
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let barred = false
/** Blocks every change of this page until the returned function is called. */
export const barChanges = (): (() => void) => {
  barred = true
  return () => {
    barred = false
  }
}

/** Returns whether the record has each field as it was sent. */
const holds = (record: unknown, sent: unknown): boolean =>
  isObject(sent) && !Array.isArray(sent)
    ? isObject(record) && Object.entries(sent).every(([field, value]) => holds(record[field], value))
    : JSON.stringify(record) === JSON.stringify(sent)

const buildHeaders = (init: RequestInit): Headers => {
  const headers = new Headers(init.headers)
  headers.set('accept', 'application/json, application/problem+json')
  headers.set('accept-language', language)
  return headers
}

/** Returns the present record if it has what was sent: the change was made, and only its answer was lost. */
const readIfMade = async (input: string | URL | Request, sent: string): Promise<Response | null> => {
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

type Lost = {
  act: string | null
  sent: Unsettled | null
  input: string | URL | Request
  method: string
  /** The browser had no network when it was sent. */
  neverLeft: boolean
}

/** Returns what a request without an answer means: nothing changed, nothing was sent, or it may have been done. */
const tellLost = (status: number, { act, sent, input, method, neverLeft }: Lost): ApiError => {
  if (act === null || ASKS_ONLY.test(String(input))) return new ApiError({ status, title: UNREACHABLE })
  for (const listener of lostListeners) listener()
  const known = unanswered.get(act)
  // An earlier try of the same change may have left, even if this one did not.
  if (neverLeft && !sent?.lost) {
    if (known?.key === sent?.key) unanswered.delete(act)
    return new ApiError({ status, title: NOT_SENT })
  }
  if (known) known.lost = true
  return new ApiError({ status, title: method === 'POST' ? REPEATABLE : UNANSWERED }, null, act)
}

/**
 * Calls `fetch` for the API: same origin, an Idempotency-Key on each POST (the former key if the same request had no
 * answer), and every failure an ApiError. A request whose refusal was remedied is sent again with the same key;
 * `rounds` counts how often.
 */
export const apiFetch = async (
  input: string | URL | Request,
  init: RequestInit = {},
  rounds = 0,
): Promise<Response> => {
  const { method = 'GET' } = init
  if (barred && method !== 'GET') throw new ApiError({ status: 409, title: BARRED })
  const headers = buildHeaders(init)
  const body = typeof init.body === 'string' ? init.body : ''
  const act = method === 'GET' ? null : `${method} ${String(input)}\n${body}`
  // The change is remembered before it is sent, so that a second click sends it with the same key.
  const sent = act === null ? null : remember(act, headers.get('idempotency-key'))
  if (sent !== null && method === 'POST') headers.set('idempotency-key', sent.key)
  const neverLeft = !canLeave(navigator.onLine, location.hostname)
  const lost = (status: number): ApiError => tellLost(status, { act, sent, input, method, neverLeft })
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
  noteStandby(response.headers)
  const wait = Number(response.headers.get('retry-after'))
  // A short pause of the rate limit is waited for here, once. Sign-in shows its own, longer waits.
  if (response.status === 429 && wait > 0 && wait <= PATIENCE && !String(input).startsWith('/v1/auth/')) {
    await pause(wait * 1000)
    response = await send()
  }
  if (response.ok) {
    // An answer that breaks off counts as no answer: otherwise the request could not be repeated with its key.
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
  // The newer version may be the one that the repeated change made itself.
  const made = method === 'PATCH' && response.status === 412 && sent?.lost ? await readIfMade(input, body) : null
  if (settles(refusal)) settle()
  if (made) return made
  // The same request is sent with the same key: it was refused for its session, so it was not done yet.
  if (!signsIn(input, init) && rounds < MOST_ROUNDS && (await mayRepeat(refusal, rounds)))
    return apiFetch(input, { ...init, headers }, rounds + 1)
  throw refusal
}

/**
 * Removes the cause of a refusal with the reader's help, such as an ended session; returns true if it may be sent
 * again.
 */
type Remedy = (refusal: ApiError) => Promise<boolean>
const remedies = new Set<Remedy>()

/** Returns whether a refused request may be sent again: its session was renewed meanwhile, or a remedy was found. */
const mayRepeat = async (refusal: ApiError, rounds: number): Promise<boolean> => {
  if (refusal.status === 401 && rounds < MOST_ROUNDS - 1 && wasRenewed()) {
    // the cookie of the renewal may still be on its way
    await pause(300)
    return true
  }
  for (const remedy of remedies) if (await remedy(refusal)) return true
  return false
}

/**
 * Returns whether a request can leave this browser. It cannot if the browser has no network, unless the server is on
 * the same machine.
 */
export const canLeave = (onLine: boolean, hostname: string): boolean =>
  onLine || /^(?:localhost|127\.|\[::1\])/.test(hostname)

const lostListeners = new Set<() => void>()
/** Calls `listener` whenever a change got no answer. */
export const onLost = (listener: () => void): void => void lostListeners.add(listener)

/** Offers a remedy for refused requests until the returned function is called. */
export const offerRemedy = (remedy: Remedy): (() => void) => {
  remedies.add(remedy)
  return () => remedies.delete(remedy)
}

/** Returns whether a request signs in or out, or proves an identity. Such a request is not repeated after a refusal. */
const signsIn = (input: string | URL | Request, { method = 'GET' }: RequestInit): boolean =>
  method !== 'GET' && String(input).startsWith('/v1/auth/')

/** A request is repeated at most this often after refusals. */
const MOST_ROUNDS = 3

/** These requests sign in or out, or ask for a mail or a code: they are simply tried again. */
const ASKS_ONLY = /^\/v1\/auth\/(login|logout|reauthenticate|forgot|2fa\/setup)$/

/** A proxy answers with these if it got no answer from the server. */
const NO_ANSWER = new Set([502, 504])
export const UNREACHABLE = say('parts.http.unreachable')
const BARRED = say('parts.http.other_session')
const UNANSWERED = say('parts.http.unanswered')
// A POST has a key, so that the server does a repeated one only once.
const REPEATABLE = say('parts.http.repeatable')
const NOT_SENT = say('parts.http.not_sent')

/** A call waits at most this many seconds if the rate limit asks for it. */
const PATIENCE = 5

// crypto.randomUUID exists only on https and localhost; a console opened by IP over http has getRandomValues alone.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
