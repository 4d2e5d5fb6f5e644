import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
/** The built program; `BROKERBASE_BENCH_EXECUTABLE` measures another build. */
export const EXECUTABLE = process.env.BROKERBASE_BENCH_EXECUTABLE ?? join(ROOT, 'dist/brokerbase')
/** The engine that the build embeds to replicate; without it a server replicates nothing. */
export const ENGINE = join(ROOT, 'dist/tools/litestream')

/** A server answers at once; a standby fetches and proves its first copy before that (ms). */
const ANSWERS_WITHIN = 60_000

export type Server = { port: number; pid: number; startedIn: number; stop(): Promise<void> }

/** Returns the command of the product: the built executable, or the source if there is none. */
const productCommand = (): string[] =>
  existsSync(EXECUTABLE) ? [EXECUTABLE] : [process.execPath, join(ROOT, 'src/main.ts')]

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

async function start(command: string[], port: number, path: string, env: Record<string, string>): Promise<Server> {
  const started = performance.now()
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  const child = Bun.spawn(command, {
    env: { PATH, HOME, TMPDIR, ...env },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 12_000)
    await child.exited
    clearTimeout(timer)
  }
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      await answer.arrayBuffer()
      if (answer.ok) return { port, pid: child.pid, startedIn: performance.now() - started, stop }
    } catch {
      // the server does not listen yet
    }
    if (child.exitCode !== null)
      throw new Error(
        `${command[0]} ended with ${child.exitCode} instead of serving; is the build older than the source?`,
      )
    if (performance.now() - started > ANSWERS_WITHIN) {
      await stop()
      throw new Error(`${command[0]} did not answer ${path} within ${ANSWERS_WITHIN / 1000} s`)
    }
    await Bun.sleep(1)
  }
}

const SETTINGS = {
  BROKERBASE_RATE_SHORT: '1000000000',
  BROKERBASE_RATE_MEDIUM: '1000000000',
  BROKERBASE_RATE_LONG: '1000000000',
  BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8',
  BROKERBASE_LOG_LEVEL: 'warn',
}

/** Starts a serving command of the product, and waits until this path answers. */
function serve(command: string, directory: string, path: string, env: Record<string, string>): Promise<Server> {
  const port = freePort()
  const args = [command, '--data-dir', directory, '--port', String(port)]
  return start([...productCommand(), ...args], port, path, { ...SETTINGS, ...env })
}

/**
 * Starts the product on a data directory with everything on, unreachable rate limits, and webhooks allowed to this
 * machine; `env` adds to that.
 */
export const startProduct = (directory: string, env: Record<string, string> = {}): Promise<Server> =>
  serve('serve', directory, '/v1/setup', env)

/** Starts a standby on a directory that has the key, and waits until it has a copy that may be read. */
export const startStandby = (directory: string, env: Record<string, string>): Promise<Server> =>
  serve('standby', directory, '/ready/read', env)

/** Starts the yardstick on a data directory. */
export function startBare(directory: string, tenantId: string): Promise<Server> {
  const port = freePort()
  const command = [process.execPath, join(import.meta.dir, 'bare.ts'), directory, tenantId, String(port)]
  return start(command, port, '/v1/traders?limit=1', {})
}

/** Returns the resident memory of a process in megabytes (10^6 bytes). */
export function residentMegabytes(pid: number): number {
  const answer = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)])
  return (Number(answer.stdout.toString().trim()) * 1024) / 1e6
}
