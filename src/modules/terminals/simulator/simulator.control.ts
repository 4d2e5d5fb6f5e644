import { timingSafeEqual } from 'node:crypto'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CHECKED_ACTS } from './simulator.checked-acts.ts'
import { Conditions, Fault } from './simulator.faults.ts'
import { type Identity, makeIdentity, type TerminalServer } from './simulator.server.ts'
import { Refusal } from './simulator.state.ts'
import { tellTruth } from './simulator.truth.ts'
import type { Simulator } from './simulator.ts'

/** Says that a request of the control port does not fit. */
class BadRequest extends Error {
  override name = 'BadRequest'
}

function take<S extends TSchema>(shape: S, value: unknown): Static<S> {
  if (Value.Check(shape, value)) return value
  const first = Value.Errors(shape, value).First()
  throw new BadRequest(`${first?.path ?? ''}: ${first?.message ?? 'does not fit'}`)
}

const Act = Type.Object({ act: Type.String() })
const Step = Type.Object({ times: Type.Integer({ minimum: 1, maximum: 1_000_000 }) })
const Period = Type.Object({ from: Type.Integer(), minutes: Type.Integer() })
const Clock = Type.Object(
  { skew: Type.Optional(Type.Integer()), clock: Type.Optional(Type.Array(Period, { minItems: 1 })) },
  { additionalProperties: false },
)
const Manager = Type.Object(
  {
    login: Type.Integer(),
    password: Type.Optional(Type.String()),
    rights: Type.Optional(Type.Array(Type.Integer())),
    masks: Type.Optional(Type.Array(Type.String())),
    refusal: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  },
  { additionalProperties: false },
)
const Trading = Type.Object({ on: Type.Boolean() })
const Certificate = Type.Object({ names: Type.Array(Type.String(), { minItems: 1 }), days: Type.Integer() })

type Controlled = {
  simulator: Simulator
  server: TerminalServer
  /** Whether it trades by itself. */
  trading: { on: boolean }
  onIdentity: (identity: Identity) => void
}

function act({ simulator }: Controlled, body: unknown): unknown {
  const { act: name } = take(Act, body)
  const run = CHECKED_ACTS.get(name)
  if (run === undefined)
    throw new BadRequest(`there is no act ${name}; there are ${[...CHECKED_ACTS.keys()].join(', ')}`)
  return run(simulator.engine, body)
}

function setManager({ simulator }: Controlled, body: unknown): unknown {
  const { login, ...change } = take(Manager, body)
  const manager = simulator.engine.state.managers.get(login)
  if (manager === undefined) throw new BadRequest(`there is no manager ${login}`)
  simulator.engine.changes += 1
  return Object.assign(manager, change)
}

function presentOther({ simulator, server, onIdentity }: Controlled, body: unknown): unknown {
  const { names, days } = take(Certificate, body)
  const identity = makeIdentity(names, simulator.clock.now(), days)
  server.present(identity)
  onIdentity(identity)
  simulator.engine.changes += 1
  return { cert: identity.cert }
}

/** What the control port does, by method and path. */
const DOES: ReadonlyMap<string, (parts: Controlled, body: unknown, query: URLSearchParams) => unknown> = new Map(
  Object.entries({
    'GET /journal': ({ simulator }: Controlled) => simulator.journal.entries(),
    'DELETE /journal': ({ simulator }: Controlled) => simulator.journal.clear(),
    'GET /faults': ({ simulator }: Controlled) => simulator.faults.list(),
    'DELETE /faults': ({ simulator }: Controlled) => simulator.faults.clear(),
    'POST /faults': ({ simulator }: Controlled, body: unknown) => {
      for (const fault of Array.isArray(body) ? body : [body]) simulator.faults.add(take(Fault, fault))
      return simulator.faults.list()
    },
    'GET /conditions': ({ simulator }: Controlled) => simulator.conditions,
    'POST /conditions': ({ simulator }: Controlled, body: unknown) =>
      Object.assign(simulator.conditions, take(Type.Partial(Conditions), body)),
    'GET /truth': ({ simulator }: Controlled, _: unknown, query: URLSearchParams) =>
      tellTruth(simulator.engine, query.has('login') ? Number(query.get('login')) : null),
    'POST /act': act,
    'POST /step': ({ simulator }: Controlled, body: unknown) => {
      const { times } = take(Step, body)
      for (let count = 0; count < times; count += 1) simulator.step()
      return { deals: simulator.engine.state.deals.size }
    },
    'POST /trading': ({ trading }: Controlled, body: unknown) => Object.assign(trading, take(Trading, body)),
    'POST /clock': ({ simulator }: Controlled, body: unknown) => {
      const change = take(Clock, body)
      Object.assign(simulator.engine.state, change)
      simulator.engine.changes += 1
      return change
    },
    'POST /manager': setManager,
    'POST /certificate': presentOther,
    'POST /drop': ({ server }: Controlled) => server.drop(),
  }),
)

/** These are long, or are passwords. */
const UNSAID = new Set(['deals', 'main', 'investor', 'password'])
const writeValue = (value: unknown): string =>
  JSON.stringify(value ?? null, (name, part: unknown) => {
    if (UNSAID.has(name) && typeof part !== 'number') return undefined
    return part instanceof Map ? [...part.values()] : part
  })

async function answer(parts: Controlled, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const run = DOES.get(`${request.method} ${pathname}`)
  const respond = (status: number, value: unknown): Response =>
    new Response(`${writeValue(value)}\n`, { status, headers: { 'content-type': 'application/json' } })
  if (run === undefined) return respond(404, { error: `there are: ${[...DOES.keys()].join(', ')}` })
  try {
    const text = await request.text()
    const body: unknown = text === '' ? {} : JSON.parse(text)
    return respond(200, run(parts, body, searchParams))
  } catch (error) {
    const message = error instanceof Refusal ? `refused with ${error.code}` : String(error)
    return respond(400, { error: message })
  }
}

/** Opens the control port on this machine, for those who have the token. */
export function openControl(parts: Controlled, options: { port: number; token: string }) {
  const expected = Buffer.from(`Bearer ${options.token}`)
  return Bun.serve({
    port: options.port,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const given = Buffer.from(request.headers.get('authorization') ?? '')
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        return new Response('a bearer token is needed\n', { status: 401 })
      return answer(parts, request)
    },
  })
}
