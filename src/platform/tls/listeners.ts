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

/** The seconds after which the server closes an idle connection. */
const IDLE_TIMEOUT = 60

/** The open port of the application. */
export type Listeners = {
  readonly port: number
  /** Uses this certificate for new connections; existing ones keep theirs until they end. */
  swap(certificate: Certificate): void
  /** Accepts no more connections; resolves when the last request is answered. */
  stop(): Promise<void>
}

const CODES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program; choose another',
  EACCES: 'may not be opened by this user (below 1024 it takes CAP_NET_BIND_SERVICE: see `brokerbase service print`)',
  EADDRNOTAVAIL: 'cannot be opened: this machine does not have the address',
}

/** Returns an error for the operator if the port could not be opened; for an unknown reason the error as it is. */
export function listenError(setting: string, port: number, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words = CODES[code]
  return words === undefined ? error : new Error(`${setting} ${port}: the port ${words}.`, { cause: error })
}

/** Throws if the port is in use: with `reusePort` two servers of one user would share it without notice. */
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
  // each route has a limit, whose refusal is a problem; the limit of the server would answer a 413 without a body
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  reusePort: tls !== null,
  // the page of Bun for developers would show source text and the working directory to clients
  development: false,
  error,
  ...(tls ? { tls: { cert: tls.cert, key: tls.key } } : {}),
})

function listen(app: Listening, options: ListenOptions): Listener {
  const before = new Set(process.listeners('beforeExit'))
  const isFirst = app.server === null
  app.listen(options)
  // Elysia adds a listener each time, and Node warns of the eleventh
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
 * Opens the port of an application, with TLS if there is a certificate. Bun ignores a new certificate in `reload()`, so
 * a change opens a second listener on the same port and stops the first, which still answers requests that have begun.
 * Throws an error for the operator if the port cannot be opened. DECISIONS 0072.
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
      // a connection that is between its handshake and its first request may be lost here
      end(old)
    },
    stop: async () => {
      end(current)
      await Promise.all(stopping)
    },
  }
}
