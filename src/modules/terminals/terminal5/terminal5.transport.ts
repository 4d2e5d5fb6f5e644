import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { errorCode } from '../../../platform/egress-resolve.ts'
import { type FaultCode, TerminalFault } from '../contract/fault.ts'
import { type Dialled, dial, type Place } from './terminal5.dial.ts'
import type { Environment } from './terminal5.environment.ts'

/** A request. `target` is the path with its query. */
type Exchange = { method: 'GET' | 'POST'; target: string; headers: Record<string, string>; body: string }
export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** One connection to a terminal. It ends with the first doubt, and is never opened again. */
export type Connection = {
  /** Sends one request and returns its whole answer. A second one must wait until the first has ended. */
  exchange(exchange: Exchange): Promise<Reply>
  isOpen(): boolean
  close(): void
}

/** At most this many interim answers (1xx) are accepted. */
const MOST_INTERIM = 10

/** What an agent was asked for besides its one connection. */
type Link = { agent: Agent; dialsAgain: () => boolean }

/** Returns an agent that has one connection and opens no other: the second time that it is asked for one, it throws. */
function createLink({ socket }: Dialled): Link {
  let dials = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agent.createConnection = () => {
    dials += 1
    if (dials > 1) throw new TerminalFault('lost', { reason: 'closed' })
    return socket
  }
  return { agent, dialsAgain: () => dials > 1 }
}

/** Returns why the body of an answer cannot be whole, whatever comes; undefined if it can be. */
function judgeHeaders({ headers }: IncomingMessage, maxBytes: number): FaultCode | undefined {
  const length = headers['content-length']
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') return 'not_an_answer'
  if (coding !== undefined) return coding === 'chunked' && length === undefined ? undefined : 'not_an_answer'
  if (length === undefined || !/^[0-9]{1,15}$/.test(length)) return 'not_an_answer'
  return Number(length) > maxBytes ? 'too_large' : undefined
}

/** The course of one request. The first end counts: its answer, a fault, or one of its two time limits. */
type Course = {
  answer(reply: Reply): void
  fail(code: FaultCode, reason: string): void
  /** Notes an error of the connection or of its parser. */
  failBy(error: unknown): void
  hears(): void
}

function follow(
  env: Environment,
  wasSent: () => boolean,
  ends: { resolve(reply: Reply): void; reject(fault: TerminalFault): void; close(): void },
): Course {
  let isSettled = false
  const settle = (finish: () => void): void => {
    if (isSettled) return
    isSettled = true
    cancelFirst()
    cancelWhole()
    finish()
  }
  const fail = (code: FaultCode, reason: string): void =>
    settle(() => {
      ends.close()
      ends.reject(new TerminalFault(code, { reason }, wasSent()))
    })
  const cancelFirst = env.after(env.limits.firstByteMs, () => fail('lost', 'first_byte_timeout'))
  const cancelWhole = env.after(env.limits.wholeMs, () => fail('lost', 'timeout'))
  return {
    answer: (reply) => settle(() => ends.resolve(reply)),
    fail,
    failBy: (error) => {
      const reason = errorCode(error)
      fail(reason.startsWith('HPE_') ? 'not_an_answer' : 'lost', reason)
    },
    hears: () => cancelFirst(),
  }
}

/** Reads an answer to its end. */
function hear(response: IncomingMessage, maxBytes: number, course: Course): void {
  course.hears()
  const doubt = judgeHeaders(response, maxBytes)
  if (doubt !== undefined) {
    course.fail(doubt, 'headers')
    return
  }
  const chunks: Buffer[] = []
  let received = 0
  response.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > maxBytes) return course.fail('too_large', 'body')
    chunks.push(chunk)
  })
  response.on('end', () => {
    const length = response.headers['content-length']
    if (!response.complete || (length !== undefined && Number(length) !== received)) return course.fail('lost', 'short')
    course.answer({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
  })
  response.on('aborted', () => course.fail('lost', 'aborted'))
  response.on('error', course.failBy)
  response.on('close', () => course.fail('lost', 'closed'))
}

function send(exchange: Exchange, dialled: Dialled, link: Link, env: Environment, close: () => void): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const course = follow(env, () => !link.dialsAgain(), { resolve, reject, close })
    try {
      const outgoing = request({
        agent: link.agent,
        method: exchange.method,
        host: dialled.host,
        port: dialled.port,
        path: exchange.target,
        headers: { ...exchange.headers, host: dialled.authority, 'accept-encoding': 'identity' },
      })
      let interim = 0
      const hearInterim = (): void => {
        interim += 1
        if (interim > MOST_INTERIM) course.fail('not_an_answer', 'interim')
      }
      outgoing.on('continue', hearInterim).on('information', hearInterim)
      outgoing.on('upgrade', () => course.fail('not_an_answer', 'upgrade'))
      outgoing.on('response', (response) => hear(response, env.limits.maxBytes, course))
      outgoing.on('error', course.failBy)
      outgoing.on('close', () => course.fail('lost', 'closed'))
      outgoing.end(exchange.body)
    } catch (error) {
      course.failBy(error)
    }
  })
}

/** Opens a connection to a terminal. Throws a `TerminalFault`; nothing has been sent then. */
export async function openConnection(place: Place, env: Environment): Promise<Connection> {
  const dialled = await dial(place, env)
  const { socket } = dialled
  const link = createLink(dialled)
  let isOpen = !socket.destroyed
  let isBusy = false
  const close = (): void => {
    isOpen = false
    socket.destroy()
    link.agent.destroy()
  }
  socket.once('close', close)
  return {
    exchange: async (exchange) => {
      if (isBusy) throw new Error('a request of this connection has not ended')
      if (!isOpen) throw new TerminalFault('lost', { reason: 'closed' })
      isBusy = true
      try {
        const reply = await send(exchange, dialled, link, env, close)
        if (reply.headers.connection?.toLowerCase() === 'close') close()
        return reply
      } finally {
        isBusy = false
      }
    },
    isOpen: () => isOpen,
    close,
  }
}
