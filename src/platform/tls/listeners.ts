import type { Certificate } from './certificate.ts'

type Listener = {
  readonly port?: number | undefined
  stop(closeActiveConnections?: boolean): Promise<void>
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
type Listening = { server: Listener | null; listen(options: ListenOptions): unknown }

/** Seconds after which the server closes a connection on which nothing happens. */
const IDLE_TIMEOUT = 60

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

type Options = {
  port: number
  hostname: string
  certificate: Certificate | null
  error: (error: Error) => Response
}

const buildOptions = (
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

function listen(app: Listening, options: ListenOptions): Listener {
  const before = new Set(process.listeners('beforeExit'))
  const isFirst = app.server === null
  app.listen(options)
  // Elysia adds one each time, and Node warns of the eleventh
  if (!isFirst)
    for (const listener of process.listeners('beforeExit'))
      if (!before.has(listener)) process.off('beforeExit', listener)
  const { server } = app
  if (server === null) throw new Error('the application does not listen')
  return server
}

function listenFirst(app: Listening, options: Options): Listener {
  const { port, hostname, certificate } = options
  try {
    if (certificate !== null) refuseTaken(port, hostname)
    return listen(app, buildOptions(options, port, certificate))
  } catch (error) {
    throw listenError('BROKERBASE_PORT (--port)', port, error)
  }
}

/**
 * Listens for an application, with TLS where there is a certificate. Bun ignores a new certificate in `reload()`, so a
 * change opens a second listener on the same port and stops the first, which still answers what it has begun. Without a
 * certificate it is one plain listener, as fast as before. DECISIONS 0072.
 */
export function openListeners(app: Listening, options: Options): Listeners {
  let current = listenFirst(app, options)
  const port = current.port ?? options.port
  const stopping = new Set<Promise<void>>()
  const end = (listener: Listener): void => {
    const stopped = listener.stop()
    stopping.add(stopped)
    void stopped.finally(() => stopping.delete(stopped))
  }

  return {
    port,
    swap: (next) => {
      const old = current
      current = listen(app, buildOptions(options, port, next))
      // a connection between its handshake and its first request may be lost here
      end(old)
    },
    stop: async () => {
      end(current)
      await Promise.all(stopping)
    },
  }
}
