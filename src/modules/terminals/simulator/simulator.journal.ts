/** One call as the server saw it. */
export type Entry = {
  number: number
  connection: number
  /** The number of the session; 0 before one is signed in. */
  session: number
  at: number
  method: string
  path: string
  parameters: Record<string, unknown>
  executed: boolean
  answered: boolean
  /** The code of the answer; null if there was none. */
  retcode: number | null
  fault: string | null
}

export type Journal = {
  begin(entry: Pick<Entry, 'connection' | 'session' | 'at' | 'method' | 'path' | 'parameters'>): Entry
  entries(): Entry[]
  clear(): void
}

const SECRET = /pass|srv_?rand|cli_?rand/i

const blank = (parameters: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, SECRET.test(name) ? '***' : value]))

/** Keeps the newest calls, without passwords and what would prove them. */
export function makeJournal(most: number): Journal {
  let list: Entry[] = []
  let count = 0
  return {
    begin: (given) => {
      count += 1
      const parameters = blank(given.parameters)
      const entry: Entry = {
        ...given,
        number: count,
        parameters,
        executed: false,
        answered: false,
        retcode: null,
        fault: null,
      }
      list.push(entry)
      // it is cut seldom, since each cut copies the list
      if (list.length > most * 2) list = list.slice(-most)
      return entry
    },
    entries: () => list.slice(-most),
    clear: () => {
      list = []
    },
  }
}
