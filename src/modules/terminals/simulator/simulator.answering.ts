import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../../platform/clock.ts'
import { changeReply, type Sink, sendReply, sendSpoiled, sendStatus } from './simulator.answer.ts'
import type { Parameters, Reply } from './simulator.calls.ts'
import type { Conditions, Effect, Faults } from './simulator.faults.ts'
import { type Request, readParameters, readRequest } from './simulator.http.ts'
import type { Entry, Journal } from './simulator.journal.ts'
import { CALLS } from './simulator.server-calls.ts'
import { completeSession, isStale, makeSession, type Session, startSession } from './simulator.session.ts'
import { type Engine, Refusal } from './simulator.state.ts'

/** The parts of a simulated server that answers of calls need. */
export type Parts = {
  engine: Engine
  clock: Clock
  faults: Faults
  conditions: Conditions
  journal: Journal
  /** Returns the number of the next session. */
  takeSession(): number
}

/** One connection with its session. */
export type Connection = {
  id: number
  socket: Pick<TLSSocket, 'destroy' | 'end'>
  sink: Sink
  session: Session
  bytes: Buffer
  isBusy: boolean
}

/** Returns whether the platform does not do what was asked. */
const isBeforeDoing = (effect: Effect | null): boolean => {
  if (effect === null) return false
  if (effect.do === 'cut') return effect.when === 'before'
  return 'executed' in effect && !effect.executed
}

/** Returns the reply of a call, null where the session does not allow it, and undefined for an unknown path. */
function run(parts: Parts, session: Session, path: string, parameters: Parameters): Reply | null | undefined {
  const { engine, conditions, takeSession } = parts
  if (path === '/api/auth/start') return startSession(session, parameters, parts)
  if (path === '/api/auth/answer') return completeSession(session, parameters, { ...parts, takeId: takeSession })
  // a manager may have been changed since the session began
  const manager = session.manager === null ? undefined : engine.state.managers.get(session.manager.login)
  if (manager === undefined) return null
  try {
    return CALLS.get(path)?.({ engine, manager, conditions, parameters })
  } catch (error) {
    if (error instanceof Refusal) return { retcode: error.code }
    throw error
  }
}

/** Gives the deals of a call another comment, or shows them later, as faults and conditions say. */
function markDeals({ engine, conditions }: Parts, from: number, effect: Effect | null): void {
  const delay = effect?.do === 'late' ? effect.ms : conditions.commitDelayMs
  for (let id = from; id < engine.state.nextDeal; id += 1) {
    const deal = engine.state.deals.get(id)
    if (deal === undefined) continue
    if (effect?.do === 'comment') deal.comment = (effect.replace ?? deal.comment) + (effect.append ?? '')
    if (delay > 0) engine.state.unseen.set(id, engine.now() + delay)
  }
}

/** Notes a call in the journal. */
const begin = (parts: Parts, connection: Connection, request: Request, parameters: Parameters): Entry =>
  parts.journal.begin({
    connection: connection.id,
    session: connection.session.id,
    at: parts.clock.now(),
    method: request.method,
    path: request.path,
    parameters: Object.fromEntries(parameters),
  })

function isRefusedType({ conditions }: Parts, { headers, body }: Request): boolean {
  if (conditions.contentType === 'any' || body === '') return false
  return (conditions.contentType === 'json') !== (headers.get('content-type') ?? '').includes('json')
}

/** Does what a request asks. Returns the reply, or the status of an answer without one. */
function execute(
  parts: Parts,
  connection: Connection,
  request: Request,
  asked: { parameters: Parameters; effect: Effect | null },
): Reply | number {
  const first = parts.engine.state.nextDeal
  const reply = run(parts, connection.session, request.path, asked.parameters)
  markDeals(parts, first, asked.effect)
  return reply ?? (reply === null ? 403 : 404)
}

async function answer(parts: Parts, connection: Connection, request: Request): Promise<void> {
  const { clock, conditions } = parts
  const { sink, session } = connection
  const read = readParameters(request)
  const parameters = read ?? new Map<string, unknown>()
  const entry = begin(parts, connection, request, parameters)
  if (conditions.maintenance !== null) {
    entry.answered = await sendStatus(sink, conditions.maintenance, true)
    return
  }
  const effect = parts.faults.take(request.path, String(parameters.get('login') ?? ''))
  entry.fault = effect?.do ?? null
  if (effect?.do === 'slow' && effect.when === 'before') await clock.sleep(effect.ms)
  if (effect?.do === 'forget') Object.assign(session, makeSession(clock.now()))
  let reply: Reply | number = { retcode: 3 }
  if (!isBeforeDoing(effect) && read !== null && !isRefusedType(parts, request)) {
    reply = execute(parts, connection, request, { parameters, effect })
    entry.executed = typeof reply !== 'number' && reply.retcode === 0
  }
  if (effect?.do === 'slow' && effect.when === 'after') await clock.sleep(effect.ms)
  if (typeof reply === 'number') {
    entry.answered = await sendStatus(sink, reply, false)
    return
  }
  const changed = changeReply(reply, effect)
  entry.session = session.id
  entry.retcode = changed.retcode
  // a test may read the journal as soon as it has the answer
  entry.answered = effect === null || isWholeAfter(effect)
  const isTaken = await (effect === null
    ? sendReply(sink, changed, conditions)
    : sendSpoiled(sink, changed, conditions, effect))
  entry.answered &&= isTaken
}

/** Returns whether the other side gets an answer that is whole in spite of an effect. */
const isWholeAfter = (effect: Effect): boolean =>
  !(['cut', 'silent', 'length', 'endless', 'truncate'] as string[]).includes(effect.do)

/** Notes that a request came while another one was answered, which no session allows, and ends the connection. */
export function refusePipelined(parts: Parts, connection: Connection): void {
  const request: Request = { method: '', path: '', query: '', headers: new Map(), body: '' }
  begin(parts, connection, request, new Map()).fault = 'pipelined'
  connection.socket.destroy()
}

/** Answers the request that has come over a connection, if it is whole. */
export async function serve(parts: Parts, connection: Connection): Promise<void> {
  const { clock } = parts
  const reading = readRequest(connection.bytes)
  if (reading === 'unfinished') return
  if (reading === 'broken' || isStale(connection.session, clock.now())) {
    connection.socket.destroy()
    return
  }
  connection.bytes = connection.bytes.subarray(reading.length)
  if (connection.bytes.length > 0) {
    refusePipelined(parts, connection)
    return
  }
  connection.session.lastSeen = clock.now()
  connection.isBusy = true
  await answer(parts, connection, reading.request)
  connection.session.lastSeen = clock.now()
  connection.isBusy = false
  if (reading.request.path === '/api/quit') connection.socket.end()
}
