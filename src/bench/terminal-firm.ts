import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../modules/terminals/simulator/simulator.defaults.ts'
import { openReader } from '../platform/sqlite.ts'
import {
  ask,
  EXECUTABLE,
  must,
  NO_LIMITS,
  PASSWORD,
  type Process,
  sessionAfter,
  signIn,
  startFirm,
  startProcess,
} from '../testing/executable.ts'
import { vouchFor } from '../testing/vouch.ts'

/** A trading server of our own: where it listens, and the fingerprint of its certificate. */
type Place = { address: string; fingerprint: string }
/** How many accounts, open positions and deals of the last year a trading server has, and its acts a second. */
type Shape = { accounts: number; positions: number; deals: number; pace: number }

/** Starts a trading server as a process of its own, and waits until it has invented its past. */
export async function startSimulator(shape: Shape): Promise<Place & { stop(): Promise<void> }> {
  const flags = Object.entries(shape).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = Bun.spawn([EXECUTABLE, 'simulator', '--port', '0', ...flags], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  process.on('exit', () => child.kill('SIGKILL'))
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await child.exited
  }
  let said = ''
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk)
    const [, port, fingerprint] = /^https:\S+:(\d+) .*\nSHA-256 (\S+)\n(?:.*\n)* *\d.* deals\n/.exec(said) ?? []
    if (port && fingerprint) return { address: `https://localhost:${port}`, fingerprint, stop }
  }
  throw new Error(`the simulator ended before it listened: ${said}`)
}

type Headers = Record<string, string>
type Json = Record<string, unknown>

/** A firm of the built executable in a directory of its own, with an owner and an independent administrator. */
export class TerminalFirm {
  private constructor(
    private readonly cwd: string,
    private running: Process,
    private readonly cookies: { first: string; second: string },
  ) {}

  /** Founds it, with so many clients. */
  static async found(scratch: string, clients: number): Promise<TerminalFirm> {
    mkdirSync(scratch, { recursive: true })
    const cwd = mkdtempSync(join(scratch, 'terminal-'))
    const { server, cookie } = await startFirm('bench', { cwd, env: SETTINGS })
    const firm = new TerminalFirm(cwd, server, { first: cookie, second: '' })
    const person = { email: 'two@bench.test', displayName: 'Two', roles: ['admin'], password: PASSWORD }
    await firm.call('POST', '/v1/users/invite', person)
    const cookieOfOther = await signIn(server.url, person.email, PASSWORD)
    const change = { currentPassword: PASSWORD, newPassword: PASSWORD }
    const headers = { cookie: cookieOfOther, origin: server.url }
    const changed = await ask(server.url, 'POST', '/v1/auth/change-password', { headers, body: change })
    firm.cookies.second = sessionAfter(changed)
    await server.kill('SIGTERM')
    vouchFor(firm.directory, person.email)
    await firm.start()
    for (let n = 0; n < clients; n += 1) await firm.call('POST', '/v1/traders', { email: `c${n}@bench.test` })
    return firm
  }

  get directory(): string {
    return join(this.cwd, 'data')
  }
  get pid(): number {
    return this.running.pid
  }
  get port(): number {
    return Number(new URL(this.running.url).port)
  }
  /** The value of the owner's session. */
  get token(): string {
    return this.cookies.first.slice(this.cookies.first.indexOf('=') + 1)
  }
  private headers(who: 'first' | 'second'): Headers {
    return { cookie: this.cookies[who], origin: this.running.url, 'idempotency-key': crypto.randomUUID() }
  }

  /** Starts its server, on any port. */
  async start(): Promise<void> {
    this.running = await startProcess(['serve'], { cwd: this.cwd, env: SETTINGS })
  }
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.running.kill(signal)
  }

  /** Sends a request that must be answered with success. */
  async call(method: string, path: string, body?: object, who: 'first' | 'second' = 'first'): Promise<Json> {
    const options = { headers: this.headers(who), ...(body ? { body } : {}) }
    const { status, text, json } = await ask(this.running.url, method, path, options)
    must(status < 300, `${method} ${path} answered ${status}: ${text}`)
    return json
  }
  async list(path: string): Promise<Record<string, string>[]> {
    const { data } = await this.call('GET', path)
    return Array.isArray(data) ? data : []
  }

  /** Connects a trading server under a name, confirmed by the other person; returns the path of the connection. */
  async connect(name: string, { address, fingerprint }: Place, more: object = {}): Promise<string> {
    const { id } = await this.call('POST', '/v1/platforms/connections', {
      name,
      driver: 'terminal5',
      platform: 'terminal5',
      server: name,
      address,
      trust: 'pinned',
      certificate: fingerprint,
      login: String(MANAGER_LOGIN),
      password: MANAGER_PASSWORD,
      groups: [{ mask: 'real\\*', type: 'live' }],
      requestsPerSecond: 50,
      ...more,
    })
    const path = `/v1/platforms/connections/${id}`
    await this.confirm(path)
    return path
  }
  /** Lets the other person confirm what waits. */
  async confirm(path: string): Promise<void> {
    const { pending } = await this.call('GET', path)
    const version = typeof pending === 'object' && pending !== null && 'version' in pending ? pending.version : 1
    await this.call('POST', `${path}/confirm`, { version }, 'second')
  }

  /** Reads rows of its database beside its server. */
  rows<T>(sql: string, params: (string | number)[] = []): T[] {
    const reader = openReader(join(this.directory, 'brokerbase.db'))
    try {
      return reader.all<T>(sql, params)
    } finally {
      reader.close()
    }
  }
  /** Reads one number of its database. */
  number(sql: string, params: (string | number)[] = []): number {
    return this.rows<{ n: number | null }>(sql, params)[0]?.n ?? 0
  }
}

const SETTINGS = { ...NO_LIMITS, BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8', BROKERBASE_LOG_LEVEL: 'info' }

/** Waits until something is so. */
export async function waitUntil(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  patienceMs: number,
): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not come within ${Math.round(patienceMs / 1000)} s`)
    await Bun.sleep(500)
  }
}
