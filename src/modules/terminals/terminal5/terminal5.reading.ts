import { DAY, SECOND } from '../../../platform/clock.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { Deal, DealQuery, OpenPosition, Person, State } from '../contract/terminal.ts'
import { findAnyCase, isRow, type Row, readInteger, readNumber } from './terminal5.answers.ts'
import { judgeRead, NOT_FOUND } from './terminal5.codes.ts'
import { readDeal } from './terminal5.deal.ts'
import { PATHS } from './terminal5.paths.ts'
import {
  askInParts,
  cut,
  divide,
  getToMoment,
  MOST_AT_ONCE,
  type Reader,
  readRange,
  readTable,
  type Selection,
  selectLogins,
  writeSelection,
} from './terminal5.reader.ts'
import { readPerson, readPosition, readState, type ToMoment } from './terminal5.rows.ts'

/** The most deals, and the most positions or states, of one piece. */
const DEALS = 100
const ROWS = 250

/** Returns a filter that lets each row through once. `key` is the field with its number. */
function createOnce(key: string): (rows: readonly Row[]) => Row[] {
  const seen = new Set<string>()
  return (rows) =>
    rows.filter((row) => {
      const number = readNumber(row, key)
      if (seen.has(number)) return false
      seen.add(number)
      return true
    })
}

/** Reads logins with their money, in pieces. */
export async function* readStates(reader: Reader, logins: readonly string[] | 'all'): AsyncIterable<State[]> {
  const toMoment = await getToMoment(reader)
  const once = createOnce('Login')
  const ask = async (part: Selection) => {
    const users = await readTable(reader, { path: PATHS.users, query: writeSelection(part) })
    const rows = await readTable(reader, { path: PATHS.accounts, query: writeSelection(part) })
    return { users, accounts: new Map(rows.map((row) => [readNumber(row, 'Login'), row])) }
  }
  for (const selection of selectLogins(reader, logins))
    for await (const { users, accounts } of askInParts(reader, selection, 'states', ask))
      for (const piece of cut(once(users), ROWS))
        yield piece.map((user) => readState(user, accounts.get(readNumber(user, 'Login')), toMoment))
}

/** Reads whom logins belong to. */
export async function readPeople(reader: Reader, logins: readonly string[]): Promise<Person[]> {
  const people: Person[] = []
  for (const selection of selectLogins(reader, logins))
    people.push(...(await readTable(reader, { path: PATHS.users, query: writeSelection(selection) })).map(readPerson))
  return people
}

/** Returns those of the logins that are in the archive. */
export async function readArchived(reader: Reader, logins: readonly string[]): Promise<string[]> {
  const archived = new Set<string>()
  for (const selection of selectLogins(reader, logins))
    for (const row of await readTable(reader, { path: PATHS.archived, query: writeSelection(selection) }))
      archived.add(readNumber(row, 'Login'))
  return logins.filter((login) => archived.has(login))
}

const BAD_PARAMETERS = 3
const MOST_POSITIONS = 100_000_000

/** Reads how many positions a selection has; null from a terminal that does not count those of several logins. */
async function readTotal(reader: Reader, part: Selection): Promise<number | null> {
  const kind = 'mask' in part ? 'total:masks' : part.logins.length > 1 ? 'total:logins' : 'total'
  if (reader.avoided.has(kind)) return null
  const said = await reader.session.read({ path: PATHS.positionTotal, query: writeSelection(part) })
  if (said.code === BAD_PARAMETERS || said.code === NOT_FOUND) {
    if (said.code === BAD_PARAMETERS) reader.avoided.add(kind)
    return null
  }
  const fault = judgeRead(said, PATHS.positionTotal)
  if (fault !== null) throw fault
  const answer = isRow(said.answer) ? said.answer : said.top
  return readInteger({ Total: findAnyCase(answer, 'total') }, 'Total', MOST_POSITIONS)
}

/** A list that does not agree with its number is read this often. */
const MOST_TRIES = 3

async function readCounted(reader: Reader, part: Selection): Promise<Row[]> {
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    const before = await readTotal(reader, part)
    const rows = createOnce('Position')(await readTable(reader, { path: PATHS.positions, query: writeSelection(part) }))
    const after = await readTotal(reader, part)
    if (before === after && (after === null || rows.length >= after)) return rows
  }
  throw new TerminalFault('not_an_answer', { reason: 'total' }, true)
}

/** Reads open positions, in pieces. */
export async function* readPositions(reader: Reader, logins: readonly string[] | 'all'): AsyncIterable<OpenPosition[]> {
  const toMoment = await getToMoment(reader)
  const once = createOnce('Position')
  for (const selection of selectLogins(reader, logins))
    for await (const rows of askInParts(reader, selection, 'positions', (part) => readCounted(reader, part)))
      for (const piece of cut(once(rows), ROWS)) yield piece.map((row) => readPosition(row, toMoment))
}

/** The first windows, in seconds. They grow while answers are small, and are halved when one is too large. */
const FIRST_WINDOW = { mask: (7 * DAY) / SECOND, logins: (366 * DAY) / SECOND }
const FEW = 2000
const MANY = 15_000

const readWindow = (reader: Reader, part: Selection, from: number, to: number): Promise<Row[]> =>
  readTable(reader, {
    path: PATHS.deals,
    query: { ...writeSelection(part), from: String(from), to: String(to) },
  })

/** Returns the next size of a window after one that had so many deals. */
function resize(size: number, deals: number): number {
  if (deals > MANY) return Math.max(1, Math.floor(size / 2))
  return deals < FEW ? Math.max(1, size * 2) : size
}

/**
 * Reads the deals of a selection in a time, window after window. A window begins with the last second of the one
 * before, since it is not known whether a terminal counts the end in; deals that were in both are given once.
 */
async function* readWindows(
  reader: Reader,
  part: Selection,
  { from, to }: { from: number; to: number },
): AsyncIterable<Row[]> {
  let size = 'mask' in part ? FIRST_WINDOW.mask : FIRST_WINDOW.logins
  let before = new Set<string>()
  for (let at = from; at <= to; ) {
    const end = Math.min(to, at + size)
    let rows: Row[]
    try {
      rows = createOnce('Deal')(await readWindow(reader, part, at, end))
    } catch (error) {
      if (!(error instanceof TerminalFault) || error.code !== 'too_large') throw error
      if (end - at > 1) {
        size = Math.floor((end - at) / 2)
        continue
      }
      const parts = await divide(reader, part)
      if (parts.length === 0) throw error
      for (const one of parts) yield* readWindows(reader, one, { from: at, to })
      return
    }
    yield rows.filter((row) => !before.has(readNumber(row, 'Deal')))
    if (end >= to) return
    before = new Set(rows.map((row) => readNumber(row, 'Deal')))
    at = end
    size = resize(size, rows.length)
  }
}

async function* readByNumber(reader: Reader, ids: readonly string[], toMoment: ToMoment): AsyncIterable<Deal[]> {
  for (const some of cut([...new Set(ids)], MOST_AT_ONCE)) {
    if (!some.every((id) => /^[1-9][0-9]{0,19}$/.test(id))) throw new TerminalFault('bad_request', { reason: 'ticket' })
    // tickets are numbers in a list, and may be larger than a float can tell apart
    const body = `{"ticket":[${some.join(',')}]}`
    const rows = createOnce('Deal')(await readTable(reader, { path: PATHS.deals, body }))
    for (const piece of cut(rows, DEALS)) yield piece.map((row) => readDeal(row, toMoment))
  }
}

/** Reads deals, in pieces. */
export async function* readDeals(reader: Reader, query: DealQuery): AsyncIterable<Deal[]> {
  const toMoment = await getToMoment(reader)
  if ('ids' in query) {
    yield* readByNumber(reader, query.ids, toMoment)
    return
  }
  const range = await readRange(reader, query.from, query.to)
  for (const selection of selectLogins(reader, query.logins))
    for await (const rows of readWindows(reader, selection, range))
      for (const piece of cut(rows, DEALS)) yield piece.map((row) => readDeal(row, toMoment))
}
