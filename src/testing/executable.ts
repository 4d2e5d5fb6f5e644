import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReader } from '../platform/sqlite.ts'

const ROOT = join(import.meta.dir, '../..')
/** The built program, or another build that `BROKERBASE_EXECUTABLE` names. */
export const EXECUTABLE = process.env.BROKERBASE_EXECUTABLE ?? join(ROOT, 'dist/brokerbase')

/** The largest size of the built program with the replication engine; the build refuses more. */
export const MOST_MEGABYTES = 150

/** A server process of the built program. */
export type Process = {
  url: string
  pid: number
  /** Printed on the first run only. */
  setupToken: Promise<string>
  /** The last lines of its log. */
  log(): string
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number>
}

const environment = (env: Record<string, string>) => {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  return { PATH, HOME, TMPDIR, ...env }
}

/** Ends a trial with a message if a condition does not hold. */
export const must = (ok: boolean, what: string): void => {
  if (!ok) throw new Error(what)
}

/** Returns one row of the database in a directory, whether or not a server runs; throws if there is none. */
export function storedIn<T>(dataDir: string, sql: string): T {
  const reader = openReader(join(dataDir, 'brokerbase.db'))
  try {
    const row = reader.get<T>(sql)
    if (!row) throw new Error(`nothing is stored: ${sql}`)
    return row
  } finally {
    reader.close()
  }
}

/** Throws with an explanation if the program was not built. */
export function requireExecutable(): void {
  if (!existsSync(EXECUTABLE)) throw new Error(`${EXECUTABLE} is not there; run: bun run build`)
}

/** Runs a command of the program to its end. */
export async function runCommand(
  args: string[],
  options: { cwd: string; env?: Record<string, string>; stdin?: string },
) {
  const child = Bun.spawn([EXECUTABLE, ...args], {
    cwd: options.cwd,
    env: environment(options.env ?? {}),
    stdin: new Blob([options.stdin ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { stdout, stderr, code }
}

/** Starts `serve` (or another serving command) on a port, by default a free one, and waits until it answers. */
export async function startProcess(
  args: string[],
  options: { cwd: string; env?: Record<string, string>; program?: readonly string[]; port?: number },
): Promise<Process> {
  const child = Bun.spawn([...(options.program ?? [EXECUTABLE]), ...args, '--port', String(options.port ?? 0)], {
    cwd: options.cwd,
    env: environment(options.env ?? {}),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  // a test that fails may end without asking the server to stop
  process.on('exit', () => child.kill('SIGKILL'))
  const setupToken = Promise.withResolvers<string>()
  void (async () => {
    for await (const chunk of child.stdout) {
      const token = /token=([\w-]+)/.exec(new TextDecoder().decode(chunk))?.[1]
      if (token !== undefined) setupToken.resolve(token)
    }
  })()
  let errors = ''
  const listens = Promise.withResolvers<string>()
  // the log is read to its end: otherwise the server would wait, or its log would be lost
  void (async () => {
    for await (const chunk of child.stderr) {
      errors = (errors + new TextDecoder().decode(chunk)).slice(-20_000)
      const url = /"url":"(http[^"]+)".*"msg":"listening(?: as a standby)?"/.exec(errors)?.[1]
      if (url) listens.resolve(url)
    }
    errors += `\nended with ${await child.exited}${child.signalCode === null ? '' : `, ${child.signalCode}`}`
    listens.reject(new Error(`the server did not start: ${errors}`))
  })()
  const patience = setTimeout(() => {
    child.kill('SIGKILL')
    listens.reject(new Error(`the server did not listen within two minutes: ${errors}`))
  }, 120_000)
  const url = await listens.promise.finally(() => clearTimeout(patience))
  return {
    url: url.replace('localhost', '127.0.0.1'),
    pid: child.pid,
    setupToken: setupToken.promise,
    log: () => errors,
    kill: async (signal) => {
      child.kill(signal)
      return child.exited
    },
  }
}

/** Sends a JSON request; the body of the answer has any shape. */
export async function ask(
  base: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown } = {},
) {
  const response = await fetch(base + path, {
    method,
    headers: { ...(options.body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await response.text()
  const json: Record<string, unknown> =
    response.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : {}
  return { status: response.status, json, text, headers: response.headers }
}

/** Returns the cookie of the session after an answer that may have renewed it. */
export const sessionAfter = ({ headers }: { headers: Headers }): string =>
  (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

/** Signs in with a password and returns the session's cookie. */
export async function signIn(base: string, email: string, password: string): Promise<string> {
  const answer = await ask(base, 'POST', '/v1/auth/login', { body: { email, password } })
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.text}`)
  return sessionAfter(answer)
}

/** Waits until a server's replica has everything; a new machine must first wait for the end of the old lease. */
export async function untilReplicated(server: Process): Promise<void> {
  for (let tries = 0; tries < 900; tries += 1) {
    const figures = await (await fetch(`${server.url}/metrics`)).text()
    if (/^brokerbase_replica_running 1$/m.test(figures)) return
    await Bun.sleep(100)
  }
  throw new Error(`the replica was not reached within 90 s: ${server.log().slice(-2000)}`)
}

/** The password of every user that a test of the built program makes. */
export const PASSWORD = 'a password of tests'
/** The settings for tests that send thousands of requests from one address. */
export const NO_LIMITS = { BROKERBASE_RATE_SHORT: '0', BROKERBASE_RATE_MEDIUM: '0', BROKERBASE_RATE_LONG: '0' }

/** Founds a firm in an empty directory, starts its server and signs its owner in. */
export async function startFirm(
  name: string,
  options: { cwd: string; env: Record<string, string> },
): Promise<{ server: Process; cookie: string }> {
  const email = `owner@${name}.test`
  const made = await runCommand(['setup', '--tenant', name, '--email', email, '--password-stdin'], {
    cwd: options.cwd,
    stdin: PASSWORD,
  })
  if (made.code !== 0) throw new Error(`the firm was not founded: ${made.stderr}`)
  const server = await startProcess(['serve'], options)
  return { server, cookie: await signIn(server.url, email, PASSWORD) }
}
