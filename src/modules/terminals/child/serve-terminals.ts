import { Value } from '@sinclair/typebox/value'
import { TerminalFault } from '../contract/fault.ts'
import type { Driver, Terminal, TerminalAddress } from '../contract/terminal.ts'
import { type FromChild, isAnswered, isPieced, ToChild } from './calls.ts'
import { readLines } from './lines.ts'

type Known = { driver: Driver; address: TerminalAddress; terminal: Terminal | undefined }
type Call = Extract<ToChild, { is: 'call' }>

/**
 * Speaks to terminals for the server that started this child: reads calls from `input`, a line of JSON each, and sends
 * answers. A list goes on only when the server has taken its last piece, so that a slow server makes a slow reader.
 */
export async function serveTerminals(
  drivers: ReadonlyMap<string, Driver>,
  input: AsyncIterable<Uint8Array>,
  send: (message: FromChild) => void,
): Promise<void> {
  const terminals = new Map<number, Known>()
  const waiting = new Map<number, (goesOn: boolean) => void>()

  const answer = async ({ call, terminal: number, name, input: given }: Call): Promise<void> => {
    try {
      const known = terminals.get(number)
      if (known === undefined) throw new Error('the terminal is not known')
      if (name === 'presented') return send({ is: 'answer', call, value: await known.driver.presented(known.address) })
      known.terminal ??= known.driver.connect(known.address)
      if (isAnswered(name)) {
        const value: unknown = await Reflect.apply(Reflect.get(known.terminal, name), known.terminal, given)
        return send({ is: 'answer', call, value: value ?? null })
      }
      if (!isPieced(name)) throw new Error('there is no such call')
      const pieces: AsyncIterable<unknown[]> = Reflect.apply(Reflect.get(known.terminal, name), known.terminal, given)
      for await (const value of pieces) {
        const taken = new Promise<boolean>((resolve) => waiting.set(call, resolve))
        send({ is: 'piece', call, value })
        if (!(await taken)) return
      }
      send({ is: 'end', call })
    } catch (error) {
      send(describeFault(call, error))
    } finally {
      waiting.delete(call)
    }
  }

  for await (const line of readLines(input)) {
    const message = Value.Decode(ToChild, JSON.parse(line))
    if (message.is === 'call') void answer(message)
    else if (message.is === 'more' || message.is === 'enough') waiting.get(message.call)?.(message.is === 'more')
    else if (message.is === 'forget') {
      // a slow terminal keeps nobody else waiting
      void terminals
        .get(message.terminal)
        ?.terminal?.quit()
        .catch(() => {})
      terminals.delete(message.terminal)
    } else {
      const driver = drivers.get(message.driver)
      if (driver) terminals.set(message.terminal, { driver, address: message.address, terminal: undefined })
    }
  }
}

/** Returns what the server reads of an error; of one that is no fault of a terminal only that it happened. */
function describeFault(call: number, error: unknown): FromChild {
  if (error instanceof TerminalFault) {
    const { code, detail, wasSent } = error
    return { is: 'fault', call, code, detail: { ...detail }, wasSent }
  }
  const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
  return { is: 'fault', call, code: 'lost', detail: { reason }, wasSent: true }
}
