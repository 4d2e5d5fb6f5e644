import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { socketIn } from '../platform/replication/engine-config.ts'
import type { StandbySeen } from '../platform/standby/standby.ts'
import { standbyDirectory } from './standby-directory.ts'

/** A line of what a takeover says: a step, or at its end whether it failed, and why. */
const Said = Type.Union([
  Type.Object({ step: Type.String() }),
  Type.Object({ failed: Type.String() }),
  Type.Object({ done: Type.Literal(true) }),
])
type Said = Static<typeof Said>

const PROMOTE = 'promote'
/** The order to take over without waiting for the server before. */
const NOW = 'promote now'
/** The question what the standby says of itself. */
const SEEN = 'seen'

/** A takeover that runs or has ended: what it said so far, and who listens. */
type Heard = { isOff: boolean; said: Said[]; listeners: Set<(one: Said) => void> }

const WAITS =
  'A takeover that waits for the lease runs already; it takes half a minute. Give the command without --now.'

const isEnd = (one: Said): boolean => !('step' in one)

/** Writes to a connection what a takeover has said, and says until its end, a line each. */
function listen({ said, listeners }: Heard, socket: Socket): void {
  const listener = (one: Said): void => {
    socket.write(`${JSON.stringify(one)}\n`)
    if (!isEnd(one)) return
    listeners.delete(listener)
    socket.end()
  }
  socket.on('close', () => void listeners.delete(listener))
  listeners.add(listener)
  for (const one of said) listener(one)
}

/** What a standby does when it is told to take over; `tell` is called with each step. Rejects if it stays a standby. */
type TakeOver = (isOff: boolean, tell: (step: string) => void) => Promise<void>

/**
 * Opens the socket through which `promote` speaks to the standby of a directory; only its user may open it. A second
 * order while a takeover runs listens to it. `seen` is what `doctor` is told. Returns how to close it, which resolves
 * when everybody who listens has heard the end.
 */
export function openControl(dataDir: string, takeOver: TakeOver, seen: () => StandbySeen): { close(): Promise<void> } {
  const path = socketIn(standbyDirectory(dataDir))
  let present: Heard | undefined
  const begin = (isOff: boolean): Heard => {
    const heard: Heard = { isOff, said: [], listeners: new Set() }
    const say = (one: Said): void => {
      heard.said.push(one)
      for (const listener of [...heard.listeners]) listener(one)
    }
    const fail = (error: unknown): void => {
      present = undefined
      say({ failed: error instanceof Error ? error.message : String(error) })
    }
    void takeOver(isOff, (step) => say({ step })).then(() => say({ done: true }), fail)
    return heard
  }
  rmSync(path, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    createInterface(socket).once('line', (order) => {
      if (order === SEEN) return socket.end(JSON.stringify(seen()))
      if (order !== NOW && order !== PROMOTE) return socket.end()
      if (present && order === NOW && !present.isOff)
        return socket.end(`${JSON.stringify({ failed: WAITS } satisfies Said)}\n`)
      present ??= begin(order === NOW)
      listen(present, socket)
    })
  })
  // the rights of the directory keep others out before this
  server.listen(path, () => chmodSync(path, 0o600))
  return { close: () => new Promise((resolve) => server.close(() => resolve())) }
}

const Seen = Type.Object({
  ageSeconds: Type.Union([Type.Integer(), Type.Null()]),
  isStale: Type.Boolean(),
  silentMs: Type.Number(),
  clockAheadMs: Type.Union([Type.Number(), Type.Null()]),
  doubt: Type.Union([Type.String(), Type.Null()]),
  failure: Type.Union([Type.String(), Type.Null()]),
})

/** Asks the standby of a data directory what it says of itself; undefined if none runs. */
export async function askStandby(dataDir: string): Promise<Static<typeof Seen> | undefined> {
  const socket = await reach(dataDir)
  if (!socket) return undefined
  socket.write(`${SEEN}\n`)
  return Value.Decode(Seen, JSON.parse(await text(socket)))
}

/** Connects to the standby of a data directory; undefined if none runs. */
async function reach(dataDir: string): Promise<Socket | undefined> {
  const socket = connect(socketIn(standbyDirectory(dataDir)))
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}

/** Tells the standby of a data directory to take over, and each of its steps. Throws a sentence if it did not. */
export async function orderTakeover(dataDir: string, isOff: boolean, tell: (step: string) => void): Promise<void> {
  const socket = await reach(dataDir)
  if (!socket) throw new Error(`No standby runs on ${dataDir}. Start it with: brokerbase standby`)
  // a standby that was killed breaks the connection, and the lines end
  socket.on('error', () => socket.destroy())
  socket.write(`${isOff ? NOW : PROMOTE}\n`)
  for await (const line of createInterface(socket)) {
    const one = Value.Decode(Said, JSON.parse(line))
    if ('step' in one) tell(one.step)
    else if ('failed' in one) throw new Error(one.failed)
    else return
  }
  throw new Error('The standby ended before it had taken over. Once it runs again, the same command goes on.')
}
