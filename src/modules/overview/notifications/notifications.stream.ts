import type { Ctx } from '../../../platform/access/ctx.ts'
import { findPersonId } from '../../../platform/access/principal.ts'
import type { Capabilities } from '../../../platform/capabilities.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { type Round, readSummary } from './notifications.queries.ts'

/** All commits within this time cause one round of counting. */
const GATHER = 250
const HEARTBEAT = 20 * SECOND
/** A stream ends after this time and the browser reconnects, so that roles and sessions are checked again. */
const LIFE = 10 * MINUTE

/** How many streams one user or key, and one firm, may have; a browser opens one for each tab. */
const MOST_OF_ONE = 8
const MOST_OF_FIRM = 200

type Listener = { owner: string; tenantId: string; look(round: Round): void; close(): void }
const hubs = new WeakMap<object, Set<Listener>>()

const streamErrors = defineErrors('', () => ({
  too_many_streams: [
    429,
    say('notifications.error.too_many_streams', { mostOfOne: MOST_OF_ONE, mostOfFirm: MOST_OF_FIRM }),
    say('notifications.todo.too_many_streams'),
  ],
}))
const tooManyStreams = () => streamErrors.too_many_streams({ headers: { 'retry-after': '60' } })

/** Notifies every listener of this application about commits, at most four times a second. */
function getHub({ app, onCommit }: Capabilities): Set<Listener> {
  const known = hubs.get(app)
  if (known) return known
  const listeners = new Set<Listener>()
  hubs.set(app, listeners)
  let planned = false
  onCommit(() => {
    if (planned || listeners.size === 0) return
    planned = true
    setTimeout(() => {
      planned = false
      const round: Round = new Map()
      for (const { look } of listeners) look(round)
    }, GATHER)
  })
  return listeners
}

/** Ends all open streams, so that a stopping server does not wait for browsers. */
export function closeStreams({ app }: Capabilities): void {
  for (const { close } of hubs.get(app) ?? []) close()
}

/** Refuses a stream above the limit of a user or key, or above that of a firm. */
function refuseTooMany(listeners: ReadonlySet<Listener>, owner: string, tenantId: string): void {
  let [mine, ours] = [0, 0]
  for (const listener of listeners) {
    if (listener.tenantId !== tenantId) continue
    ours += 1
    if (listener.owner === owner) mine += 1
  }
  if (mine >= MOST_OF_ONE || ours >= MOST_OF_FIRM) throw tooManyStreams()
}

const encoder = new TextEncoder()

/** Listens for a stream until it is closed; returns the function that closes it. */
function listen(
  ctx: Ctx,
  { signal, owner, listeners }: { signal: AbortSignal; owner: string; listeners: Set<Listener> },
  controller: ReadableStreamDefaultController<Uint8Array>,
): () => void {
  // checks what held when it was opened: session or key valid, firm and user active, the same role
  const welcome = () => ctx.stillHolds()
  const send = (text: string) => controller.enqueue(encoder.encode(text))
  let last = ''
  const look = (round: Round) => {
    try {
      if (!welcome()) return close()
      const summary = JSON.stringify(readSummary(ctx, round))
      if (summary !== last) send(`event: summary\ndata: ${summary}\n\n`)
      last = summary
    } catch (error) {
      ctx.log.warn({ err: error }, 'a stream ended early')
      close()
    }
  }
  const beat = setInterval(() => {
    if (welcome()) send(': still here\n\n')
    else close()
  }, HEARTBEAT)
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    clearInterval(beat)
    clearTimeout(end)
    listeners.delete(listener)
    signal.removeEventListener('abort', close)
    try {
      controller.close()
    } catch {
      // the client had disconnected before
    }
  }
  const end = setTimeout(close, LIFE)
  signal.addEventListener('abort', close)
  const listener: Listener = { owner, tenantId: ctx.tenantId, look, close }
  listeners.add(listener)
  send('retry: 3000\n\n')
  look(new Map())
  return close
}

/**
 * Opens server-sent events for the console: `summary` with the counts at once and at each change, and a comment every
 * 20 seconds, so that proxies keep the connection. The stream has only what the viewer may see, and ends with the
 * session.
 */
export function openStream(ctx: Ctx, signal: AbortSignal): Response {
  const listeners = getHub(ctx)
  // a view as a colleague must not use up that colleague's streams
  const owner = findPersonId(ctx.principal) ?? ''
  refuseTooMany(listeners, owner, ctx.tenantId)
  let close = () => {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      close = listen(ctx, { signal, owner, listeners }, controller)
    },
    cancel: () => close(),
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
