import { childStarter } from '../modules/terminals/child/desk.ts'
import { serveTerminals } from '../modules/terminals/child/serve-terminals.ts'
import type { Driver } from '../modules/terminals/contract/terminal.ts'
import { drivers } from '../modules/terminals/drivers.ts'

/** Drivers of a test beside those of the program, by the name that they take the place of. */
export const testDrivers = new Map<string, Driver>()

/** Makes a stream of bytes that lines are put into. */
function createInput() {
  const waiting: Uint8Array[] = []
  let wake = Promise.withResolvers<void>()
  let isOver = false
  return {
    put: (line: string) => {
      waiting.push(Buffer.from(line))
      wake.resolve()
    },
    end: () => {
      isOver = true
      wake.resolve()
    },
    async *read(): AsyncGenerator<Uint8Array, void> {
      while (!isOver) {
        for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) yield piece
        await wake.promise
        wake = Promise.withResolvers<void>()
      }
    },
  }
}

/** Speaks to terminals in the process of the tests, through the same lines as a child. */
export function speakToTerminalsHere(): void {
  childStarter.start = (hear, end) => {
    const input = createInput()
    const all = new Map([...drivers, ...testDrivers])
    void serveTerminals(all, input.read(), (message) => hear(JSON.stringify(message))).finally(end)
    return { send: input.put, kill: input.end }
  }
}
