import { SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Certificate } from './certificate.ts'
import { steer } from './steer.ts'

type Handler = (request: Request) => Response | Promise<Response>
type Listener = {
  readonly port?: number | undefined
  stop(closeActiveConnections?: boolean): Promise<void>
  reload(options: { routes: Record<string, never>; fetch: Handler }): unknown
}
type ListenOptions = {
  port: number
  hostname: string
  idleTimeout: number
  maxRequestBodySize: number
  reusePort: boolean
  development: boolean
  error: (error: Error) => Response
  tls?: { cert: string; key: string }
}
/** The part of an Elysia application that listens. */
type Listening = { server: Listener | null; fetch: Handler; listen(options: ListenOptions): unknown }

/** Seconds after which the server closes a connection on which nothing happens. */
const IDLE_TIMEOUT = 60
/** A connection that began on an old listener has either been idle for that long by then, or heard that it ends. */
const LEAVE_MS = (IDLE_TIMEOUT + 5) * SECOND

/** Where the application is reached. */
export type Listeners = {
  readonly port: number
  /** Lets new connections have this certificate; those that exist keep theirs until they end. */
  swap(certificate: Certificate): void
  /** Takes no more connections; resolves when the last request is answered. */
  stop(): Promise<void>
}

const CODES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program; choose another',
  EACCES: 'may not be opened by this user (below 1024 it takes CAP_NET_BIND_SERVICE: see `brokerbase service print`)',
  EADDRNOTAVAIL: 'cannot be opened: this machine does not have the address',
}

/** What an operator reads where a port cannot be opened; the error itself where there is nothing better to say. */
export function listenError(setting: string, port: number, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words = CODES[code]
  return words === undefined ? error : new Error(`${setting} ${port}: the port ${words}.`, { cause: error })
}

/** Refuses a port that somebody else has: with `reusePort` two servers of one user would share it, unnoticed. */
function refuseTaken(port: number, hostname: string): void {
  if (port === 0) return
  void Bun.serve({ port, hostname, reusePort: false, fetch: () => new Response() }).stop(true)
}

/** Tells the client of each answer that the connection ends with it: HTTP's own way to move somebody elsewhere. */
const leaving =
  (answer: Handler): Handler =>
  async (request) => {
    const response = await answer(request)
    response.headers.set('connection', 'close')
    return response
  }

type Options = {
  port: number
  hostname: string
  certificate: Certificate | null
  log: Log
  error: (error: Error) => Response
  leaveMs?: number
}
/** The listeners of an application that are open, and those that are about to end. */
type Doors = {
  /** In the order of the kernel's list, which closes the gap of one that is gone with its last. */
  open: Listener[]
  stopping: Set<Promise<void>>
  timers: Set<Timer>
}

const optionsOf = (
  { hostname, error }: Pick<Options, 'hostname' | 'error'>,
  port: number,
  tls: Certificate | null,
): ListenOptions => ({
  port,
  hostname,
  idleTimeout: IDLE_TIMEOUT,
  // each route has its own limit and says so in words; the server's own would be a bare 413
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  reusePort: tls !== null,
  // Bun's page for developers shows source text and the directory it runs in to whoever asked
  development: false,
  error,
  ...(tls ? { tls: { cert: tls.cert, key: tls.key } } : {}),
})

function listen({ open }: Doors, app: Listening, options: ListenOptions): Listener {
  const before = new Set(process.listeners('beforeExit'))
  app.listen(options)
  // Elysia adds one each time, and Node warns of the eleventh
  if (open.length > 0)
    for (const listener of process.listeners('beforeExit'))
      if (!before.has(listener)) process.off('beforeExit', listener)
  const { server } = app
  if (server === null) throw new Error('the application does not listen')
  open.push(server)
  return server
}

function listenFirst(doors: Doors, app: Listening, options: Options): Listener {
  const { port, hostname, certificate } = options
  try {
    if (certificate !== null) refuseTaken(port, hostname)
    return listen(doors, app, optionsOf(options, port, certificate))
  } catch (error) {
    throw listenError('BROKERBASE_PORT (--port)', port, error)
  }
}

function end({ open, stopping }: Doors, old: Listener): void {
  const place = open.indexOf(old)
  const last = open.pop()
  if (last !== undefined && last !== old) open[place] = last
  const stopped = old.stop()
  stopping.add(stopped)
  void stopped.finally(() => stopping.delete(stopped))
}

/** Has an old listener tell its clients that it ends, and ends it when they are gone; `then` is called after that. */
function retire(doors: Doors, app: Listening, old: Listener, leaveMs: number, then: () => void): void {
  const { timers } = doors
  old.reload({ routes: {}, fetch: leaving((request) => app.fetch(request)) })
  const timer = setTimeout(() => {
    timers.delete(timer)
    end(doors, old)
    then()
  }, leaveMs)
  timers.add(timer)
}

/**
 * Listens for an application, with TLS where there is a certificate. Bun ignores a new certificate in `reload()`, and a
 * graceful `stop()` closes connections that have just finished their handshake. So a change opens a second listener
 * on the same port, has the kernel steer new connections to it, lets those of the old one end by themselves, and stops
 * it when nobody is left on it. Without a certificate it is one plain listener, as fast as before.
 */
export function openListeners(app: Listening, options: Options): Listeners {
  const { log, leaveMs = LEAVE_MS } = options
  const doors: Doors = { open: [], stopping: new Set(), timers: new Set() }
  const { open, stopping, timers } = doors
  let current = listenFirst(doors, app, options)
  const port = current.port ?? options.port

  return {
    port,
    swap: (next) => {
      const old = current
      current = listen(doors, app, optionsOf(options, port, next))
      if (!steer(port, open.length - 1)) {
        // a connection between its handshake and its first request may be lost here
        log.debug('connections are not steered on this system: the old listener stops at once')
        end(doors, old)
        return
      }
      retire(doors, app, old, leaveMs, () => steer(port, open.indexOf(current)))
    },
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      for (const listener of [...open]) end(doors, listener)
      await Promise.all(stopping)
    },
  }
}
