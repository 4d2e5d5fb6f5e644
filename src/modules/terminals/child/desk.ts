import { Value } from '@sinclair/typebox/value'
import { perApp } from '../../../platform/capabilities.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Certificate, Terminal, TerminalAddress } from '../contract/terminal.ts'
import { type Answered, FromChild, fitsAnswer, fitsPiece, type Pieced, type ToChild } from './calls.ts'
import { startTerminalChild, type TerminalChild } from './terminal-child.ts'

/** A terminal as the server sees it: everything of it happens in the child. */
export type RemoteTerminal = Terminal & { presented(): Promise<Certificate> }

/** Where the server speaks to terminals: one child of the box for all of them, started when the first is needed. */
type Desk = { connect(driver: string, address: TerminalAddress): RemoteTerminal }

type Waiting = {
  take(message: Extract<FromChild, { is: 'answer' | 'piece' | 'end' }>): void
  fail(fault: TerminalFault): void
}

/** Makes the fault of a call that the child did not finish: what it sent is not known. */
const endedChild = (): TerminalFault => new TerminalFault('lost', { reason: 'ended' }, true)
/** Makes the fault of an answer that is none: whoever speaks to the terminal may say anything. */
const strangeAnswer = (): TerminalFault => new TerminalFault('not_an_answer', {}, true)

/** Makes a promise whose failure may come before anybody waits for it. */
function createTurn<T>(): PromiseWithResolvers<T> {
  const turn = Promise.withResolvers<T>()
  turn.promise.catch(() => {})
  return turn
}

/** The calls that wait for the child, and the child, which is started when it is needed. */
function createLine(start: typeof startTerminalChild) {
  let child: TerminalChild | undefined
  let last = 0
  const waiting = new Map<number, Waiting>()

  const hear = (line: string): void => {
    const message: unknown = JSON.parse(line)
    if (!Value.Check(FromChild, message)) throw new Error('the child said something else')
    const asked = waiting.get(message.call)
    if (message.is === 'fault') asked?.fail(new TerminalFault(message.code, message.detail, message.wasSent))
    else asked?.take(message)
  }
  const end = (): void => {
    child = undefined
    const calls = [...waiting.values()]
    waiting.clear()
    for (const call of calls) call.fail(endedChild())
  }

  return {
    next: (): number => {
      last += 1
      return last
    },
    /** Returns the child that lives now, started if none does. */
    wake: (): TerminalChild => {
      child ??= start(hear, end)
      return child
    },
    isIn: (one: TerminalChild | undefined): boolean => one !== undefined && one === child,
    say: (message: ToChild): void => child?.send(`${JSON.stringify(message)}\n`),
    wait: (call: number, one: Waiting): void => void waiting.set(call, one),
    leave: (call: number): boolean => waiting.delete(call),
  }
}
type Line = ReturnType<typeof createLine>

/** One terminal on a line; a child that was started anew is told of it before its next call. */
function createChannel(line: Line, driver: string, address: TerminalAddress) {
  const terminal = line.next()
  let told: TerminalChild | undefined

  const send = (call: number, name: string, input: unknown[]): void => {
    const child = line.wake()
    if (told !== child) line.say({ is: 'connect', terminal, driver, address })
    told = child
    line.say({ is: 'call', call, terminal, name, input })
  }

  const call = <K extends keyof Answered>(name: K, ...input: unknown[]): Promise<Answered[K]> => {
    const number = line.next()
    const turn = Promise.withResolvers<Answered[K]>()
    line.wait(number, {
      take: (message) => {
        if (message.is === 'answer' && fitsAnswer(name, message.value)) turn.resolve(message.value)
        else turn.reject(strangeAnswer())
      },
      fail: turn.reject,
    })
    send(number, name, input)
    return turn.promise.finally(() => line.leave(number))
  }

  async function* list<K extends keyof Pieced>(name: K, ...input: unknown[]): AsyncGenerator<Pieced[K][]> {
    const number = line.next()
    let next = createTurn<Pieced[K][] | null>()
    line.wait(number, {
      take: (message) => {
        if (message.is === 'end') next.resolve(null)
        else if (message.is === 'piece' && fitsPiece(name, message.value)) next.resolve(message.value)
        else next.reject(strangeAnswer())
      },
      fail: (fault) => next.reject(fault),
    })
    try {
      send(number, name, input)
      for (let piece = await next.promise; piece !== null; piece = await next.promise) {
        next = createTurn()
        yield piece
        line.say({ is: 'more', call: number })
      }
    } finally {
      // the list may not have come to its end
      if (line.leave(number)) line.say({ is: 'enough', call: number })
    }
  }

  const quit = async (): Promise<void> => {
    if (line.isIn(told)) line.say({ is: 'forget', terminal })
    told = undefined
  }
  return { call, list, quit }
}

function createDesk(start: typeof startTerminalChild): Desk {
  const line = createLine(start)
  return {
    connect: (driver, address) => {
      const { call, list, quit } = createChannel(line, driver, address)
      return {
        hello: () => call('hello'),
        logins: () => call('logins'),
        states: (logins) => list('states', logins),
        archived: (logins) => call('archived', logins),
        people: (logins) => call('people', logins),
        deals: (query) => list('deals', query),
        positions: (logins) => list('positions', logins),
        find: (order) => call('find', order),
        move: (order) => call('move', order),
        open: (order) => call('open', order),
        findOpened: (order) => call('findOpened', order),
        set: (login, change) => call('set', login, change),
        presented: () => call('presented'),
        quit,
      }
    },
  }
}

/** How the child is started; tests start it in their own process. */
export const childStarter = { start: startTerminalChild }

/** Returns the desk of an application. */
export const getDesk = perApp(() => createDesk((hear, end) => childStarter.start(hear, end)))
