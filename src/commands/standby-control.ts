import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { socketIn } from '../platform/replication/engine-config.ts'

/** A line of what a takeover says: a step, or at its end whether it failed, and why. */
const Said = Type.Union([
  Type.Object({ step: Type.String() }),
  Type.Object({ failed: Type.String() }),
  Type.Object({ done: Type.Literal(true) }),
])
type Said = Static<typeof Said>

/** A takeover that runs or has ended: what it said so far, and who listens. */
type Heard = { said: Said[]; listeners: Set<(one: Said) => void> }

const isEnd = (one: Said): boolean => !('step' in one)
const toLine = (one: Said): Uint8Array => new TextEncoder().encode(`${JSON.stringify(one)}\n`)

/** Returns what a takeover has said, and says until its end, a line each. */
const stream = ({ said, listeners }: Heard): ReadableStream<Uint8Array> => {
  let listener: (one: Said) => void
  return new ReadableStream({
    start: (controller) => {
      listener = (one) => {
        controller.enqueue(toLine(one))
        if (!isEnd(one)) return
        listeners.delete(listener)
        controller.close()
      }
      listeners.add(listener)
      for (const one of said) listener(one)
    },
    cancel: () => void listeners.delete(listener),
  })
}

/** What a standby does when it is told to take over; `tell` is called with each step. Rejects if it stays a standby. */
type TakeOver = (isOff: boolean, tell: (step: string) => void) => Promise<void>

/**
 * Opens the socket through which `promote` speaks to the standby of a directory; only its user may open it. A second
 * order while a takeover runs listens to it. Returns how to close it.
 */
export function openControl(directory: string, takeOver: TakeOver): { close(): void } {
  const path = socketIn(directory)
  let present: Heard | undefined
  const begin = (isOff: boolean): Heard => {
    const heard: Heard = { said: [], listeners: new Set() }
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
  const server = Bun.serve({
    unix: path,
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      if (request.method !== 'POST' || !/^\/promote(-now)?$/.test(pathname)) return new Response(null, { status: 404 })
      present ??= begin(pathname === '/promote-now')
      return new Response(stream(present))
    },
  })
  chmodSync(path, 0o600)
  return {
    close: () => {
      void server.stop(true)
      rmSync(path, { force: true })
    },
  }
}

/** Returns the lines of a stream of text, without their ends. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Tells the standby of a data directory to take over, and each of its steps. Throws a sentence if it did not. */
export async function orderTakeover(dataDir: string, isOff: boolean, tell: (step: string) => void): Promise<void> {
  const path = socketIn(join(dataDir, 'standby'))
  const url = `http://standby/promote${isOff ? '-now' : ''}`
  const answer = await fetch(url, { unix: path, method: 'POST' }).catch((cause: unknown) => {
    throw new Error(`No standby runs on ${dataDir}. Start it with: brokerbase standby`, { cause })
  })
  for await (const line of readLines(answer.body ?? new ReadableStream())) {
    const one = Value.Decode(Said, JSON.parse(line))
    if ('step' in one) tell(one.step)
    else if ('failed' in one) throw new Error(one.failed)
    else return
  }
  throw new Error('The standby ended before it had taken over. Once it runs again, the same command goes on.')
}
