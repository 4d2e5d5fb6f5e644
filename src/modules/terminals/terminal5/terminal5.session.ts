import { SECOND } from '../../../platform/clock.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { TerminalAddress } from '../contract/terminal.ts'
import { type Answer, readAnswer } from './terminal5.answers.ts'
import type { Environment } from './terminal5.environment.ts'
import { PATHS, type Path } from './terminal5.paths.ts'
import { signIn } from './terminal5.sign-in.ts'
import { type Connection, openConnection, type Reply } from './terminal5.transport.ts'

/** A call. Its body is JSON, written already where numbers in it must be exact. */
export type Call = {
  path: Path
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, string>> | string
}

/** A session at a terminal: calls one after another, over one connection, signed in when first needed. */
export type Session = {
  /** Asks for something, and once more with a new sign-in if the session or the connection had ended. */
  read(call: Call): Promise<Answer>
  /** Sends an instruction, once. A fault says whether a byte of it may have left. */
  write(call: Call): Promise<Answer>
  /** Ends the connection in its turn, so that the next call signs in anew. */
  renew(): Promise<void>
  /** Returns the build that the terminal named when we signed in. */
  build(): string
  quit(): Promise<void>
}

/** Lets requests pass at a pace, each after the one before. */
type Pace = () => Promise<void>

/** Creates the pace of a terminal, which all its sessions share. */
export function createPace(requestsPerSecond: number, env: Environment): Pace {
  const interval = SECOND / requestsPerSecond
  let nextAt = 0
  return async () => {
    const now = env.now()
    // a clock that was put back must not stop requests for as long
    const at = Math.min(Math.max(now, nextAt), now + 100 * interval)
    nextAt = at + interval
    if (at - now >= 1) await new Promise<void>((resolve) => void env.after(at - now, resolve))
  }
}

/** Cookies of one connection: what the terminal sets is sent back. */
type Cookies = { accept(reply: Reply): void; header(): Record<string, string> }
const MOST_COOKIES = 10

function createCookies(): Cookies {
  const kept = new Map<string, string>()
  return {
    accept: ({ headers }) => {
      for (const line of headers['set-cookie'] ?? []) {
        const [, name, value] = /^([\w!#$%&'*+.^`|~-]{1,100})=([\x21-\x3a\x3c-\x7e]{0,4000})/.exec(line) ?? []
        if (name !== undefined && value !== undefined && (kept.has(name) || kept.size < MOST_COOKIES))
          kept.set(name, value)
      }
    },
    header: () => {
      const text = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
      return text === '' ? {} : { cookie: text }
    },
  }
}

/** Writes a query with every letter encoded that is not plain. */
const writeQuery = (query: Readonly<Record<string, string>>): string => {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Returns why an HTTP status is no answer; undefined if it is one. */
function judgeStatus(status: number, path: Path): TerminalFault | undefined {
  if (status === 200) return undefined
  const detail = { status: String(status), path }
  if (status === 401 || status === 403) return new TerminalFault('refused_session', detail, true)
  return new TerminalFault(status === 429 ? 'busy' : 'not_an_answer', detail, true)
}

/** A connection with its cookies. */
type Line = { ask(method: 'GET' | 'POST', call: Call): Promise<Answer>; isOpen(): boolean; close(): void }

function openLine(connection: Connection): Line {
  const cookies = createCookies()
  return {
    ask: async (method, { path, query = {}, body }) => {
      const type = body === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
      const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '')
      const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(text)) }
      const headers = { 'user-agent': 'Brokerbase', 'content-type': type, ...cookies.header(), ...length }
      const reply = await connection.exchange({ method, target: path + writeQuery(query), headers, body: text })
      try {
        const refusal = judgeStatus(reply.status, path)
        if (refusal !== undefined) throw refusal
        cookies.accept(reply)
        return readAnswer(reply.body)
      } catch (error) {
        connection.close()
        throw error
      }
    },
    isOpen: connection.isOpen,
    close: connection.close,
  }
}

/** A terminal closes a session after two minutes of silence, and wants no ping more often than this. */
const PING_MS = 20 * SECOND

/** Returns whether a read is made once more: not after a sign-in that was refused, which the terminal counts. */
const isWorthRepeating = (error: unknown): boolean =>
  error instanceof TerminalFault && (error.code === 'lost' || (error.code === 'refused_session' && error.wasSent))

const notSent = (error: unknown): unknown =>
  error instanceof TerminalFault ? new TerminalFault(error.code, error.detail, false) : error

/** What a session is while it lasts. */
type State = { line: Line | undefined; build: string; isOver: boolean; stopPing: () => void }

/** Connects and signs in, unless that was done and the connection is still there. */
async function enter(state: State, address: TerminalAddress, pace: Pace, env: Environment): Promise<Line> {
  if (state.isOver) throw new TerminalFault('lost', { reason: 'quit' })
  if (state.line?.isOpen()) return state.line
  await pace()
  let line: Line | undefined
  try {
    const opened = openLine(await openConnection(address, env))
    line = opened
    state.build = await signIn(address, (path, query) => opened.ask('GET', { path, query }), env)
    state.line = opened
    return opened
  } catch (error) {
    line?.close()
    throw notSent(error)
  }
}

/** Creates a session. Nothing is connected before its first call. */
export function createSession(address: TerminalAddress, pace: Pace, env: Environment): Session {
  const state: State = { line: undefined, build: '', isOver: false, stopPing: () => {} }
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const drop = (): void => {
    state.stopPing()
    state.line?.close()
    state.line = undefined
  }
  const ping = (): Promise<void> =>
    inTurn(async () => {
      if (state.line?.isOpen()) await perform('GET', { path: PATHS.ping })
    }).catch(drop)
  const perform = async (method: 'GET' | 'POST', call: Call): Promise<Answer> => {
    const line = await enter(state, address, pace, env)
    state.stopPing()
    await pace()
    const answer = await line.ask(method, call)
    state.stopPing = env.after(PING_MS, () => void ping(), true)
    return answer
  }
  return {
    read: (call) => {
      const method = call.body === undefined ? 'GET' : 'POST'
      return inTurn(async () => {
        try {
          return await perform(method, call)
        } catch (error) {
          drop()
          if (!isWorthRepeating(error)) throw error
          return await perform(method, call)
        }
      })
    },
    write: (call) => inTurn(() => perform('POST', call)),
    renew: () => inTurn(async () => drop()),
    build: () => state.build,
    quit: () =>
      inTurn(async () => {
        if (state.line?.isOpen()) await perform('GET', { path: PATHS.quit }).catch(() => {})
        drop()
        state.isOver = true
      }),
  }
}
