import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { TerminalFault } from '../contract/fault.ts'
import type { ClockPeriod, TerminalAddress } from '../contract/terminal.ts'
import { toLocal, toUtc } from '../contract/terminal-clock.ts'
import { findAnyCase, isRow, type Row, readNumber, readRow, readRows, readText } from './terminal5.answers.ts'
import { judgeRead, NOT_FOUND } from './terminal5.codes.ts'
import type { Environment } from './terminal5.environment.ts'
import { PATHS } from './terminal5.paths.ts'
import type { ToMoment } from './terminal5.rows.ts'
import type { Call, Session } from './terminal5.session.ts'

/** Which logins are asked for: up to a hundred by number, or those of groups by a mask. */
export type Selection = { logins: readonly string[] } | { mask: string }

/** What reads from a terminal. */
export type Reader = {
  session: Session
  address: TerminalAddress
  env: Environment
  /** The clock that the terminal was found to have, if nobody knew it before. */
  found: ClockPeriod[]
  /** What is too large to be asked for at once, or is not answered at all, so that it is not asked for again. */
  avoided: Set<string>
}

/** This many logins or tickets are asked for at once. */
export const MOST_AT_ONCE = 100
const MOST_MASK = 127

/** Cuts a list into pieces. */
export function cut<T>(list: readonly T[], size: number): T[][] {
  const pieces: T[][] = []
  for (let at = 0; at < list.length; at += size) pieces.push(list.slice(at, at + size))
  return pieces
}

/** Joins masks as far as they fit into one; those that leave groups out stand in each. */
export function packMasks(masks: readonly string[]): string[] {
  const without = masks.filter((mask) => mask.startsWith('!'))
  const packs: string[][] = []
  for (const mask of masks.filter((one) => !one.startsWith('!'))) {
    const last = packs.at(-1)
    if (last !== undefined && [...last, mask, ...without].join(',').length <= MOST_MASK) last.push(mask)
    else packs.push([mask])
  }
  return packs.map((pack) => [...pack, ...without].join(','))
}

/** Returns what is to be asked for one after another. */
export const selectLogins = ({ address }: Reader, logins: readonly string[] | 'all'): Selection[] =>
  logins === 'all'
    ? packMasks(address.masks).map((mask) => ({ mask }))
    : cut([...new Set(logins)], MOST_AT_ONCE).map((some) => ({ logins: some }))

/** Writes a selection as the parameter of a query. */
export const writeSelection = (selection: Selection): Record<string, string> =>
  'mask' in selection ? { group: selection.mask } : { login: selection.logins.join(',') }

/** Reads a list; empty if the terminal says that it has none of these. */
async function readList({ session }: Reader, call: Call): Promise<readonly unknown[]> {
  const said = await session.read(call)
  if (said.code === NOT_FOUND) return []
  const fault = judgeRead(said, call.path)
  if (fault !== null) throw fault
  if (said.code === 1 && said.answer === undefined) return []
  if (Array.isArray(said.answer)) return said.answer
  if (isRow(said.answer)) return [said.answer]
  throw new TerminalFault('not_an_answer', { reason: 'list', path: call.path }, true)
}

/** Reads a list of rows. */
export const readTable = async (reader: Reader, call: Call): Promise<Row[]> => readRows(await readList(reader, call))

/** Reads the logins of the groups that fit a mask. */
export async function readLogins(reader: Reader, mask: string): Promise<string[]> {
  const list = await readList(reader, { path: PATHS.logins, query: { group: mask } })
  return list.map((login) => readNumber(isRow(login) ? login : { Login: login }, 'Login'))
}

/** Returns parts of a selection that are together what it is, or nothing if it cannot be divided. */
export async function divide(reader: Reader, selection: Selection): Promise<Selection[]> {
  if ('logins' in selection) {
    const { logins } = selection
    return logins.length < 2 ? [] : cut(logins, Math.ceil(logins.length / 2)).map((half) => ({ logins: half }))
  }
  if (/[*!,]/.test(selection.mask)) {
    const rows = await readTable(reader, { path: PATHS.groups, query: { mask: selection.mask } })
    const names = rows.map((row) => readText(row, 'Group'))
    // what is a mask itself would be divided without end
    if (names.some((name) => name === '' || /[*!,]/.test(name)))
      throw new TerminalFault('not_an_answer', { reason: 'group' }, true)
    return names.map((name) => ({ mask: name }))
  }
  return cut(await readLogins(reader, selection.mask), MOST_AT_ONCE).map((logins) => ({ logins }))
}

/**
 * Asks for a selection, and for its parts if the answer would be too large. What each answer holds is given before the
 * next part is asked for.
 */
export async function* askInParts<T>(
  reader: Reader,
  selection: Selection,
  name: string,
  ask: (part: Selection) => Promise<T>,
): AsyncIterable<T> {
  const key = `${name} ${'mask' in selection ? selection.mask : ''}`
  const isAvoided = 'mask' in selection && reader.avoided.has(key)
  const given = isAvoided ? undefined : await askOnce(selection, ask)
  if (given !== undefined && !(given instanceof TerminalFault)) {
    yield given
    return
  }
  reader.avoided.add(key)
  const parts = await divide(reader, selection)
  if (parts.length === 0 && given !== undefined) throw given
  for (const part of parts) yield* askInParts(reader, part, name, ask)
}

async function askOnce<T>(selection: Selection, ask: (part: Selection) => Promise<T>): Promise<T | TerminalFault> {
  try {
    return await ask(selection)
  } catch (error) {
    if (error instanceof TerminalFault && error.code === 'too_large') return error
    throw error
  }
}

const QUARTER = 15 * MINUTE
const EARLIEST = -12 * HOUR
const LATEST = 14 * HOUR

/** Reads the clock of the terminal: its distance from ours in quarters of an hour, and what is left beside them. */
export async function readClock(reader: Reader): Promise<{ offsetMinutes: number; skewMs: number }> {
  const before = reader.env.now()
  const said = await reader.session.read({ path: PATHS.time })
  const middle = (before + reader.env.now()) / 2
  const fault = judgeRead(said, PATHS.time)
  if (fault !== null) throw fault
  const time = findAnyCase(readRow(said.answer), 'time')
  const [, seconds] = /^([0-9]{1,12})(?: |$)/.exec(typeof time === 'string' ? time : '') ?? []
  if (seconds === undefined) throw new TerminalFault('not_an_answer', { reason: 'time' }, true)
  // its seconds are whole, so that it is on average half of one later
  const distance = Number(seconds) * SECOND + SECOND / 2 - middle
  const offset = Math.round(distance / QUARTER) * QUARTER
  if (offset < EARLIEST || offset > LATEST) throw new TerminalFault('clock', { seconds }, true)
  // zero is added since a rounded distance may be -0
  const clock = { offsetMinutes: offset / MINUTE + 0, skewMs: Math.round(distance - offset) + 0 }
  reader.found = [{ from: 0, minutes: clock.offsetMinutes }]
  return clock
}

/** Returns the periods of the terminal's clock; where nobody knew them, its clock of now. */
async function getClock(reader: Reader): Promise<readonly ClockPeriod[]> {
  if (reader.address.clock.length > 0) return reader.address.clock
  if (reader.found.length === 0) await readClock(reader)
  return reader.found
}

/** Returns what turns local times of the terminal into moments. */
export async function getToMoment(reader: Reader): Promise<ToMoment> {
  const clock = await getClock(reader)
  return (local) => toUtc(clock, local)
}

/**
 * Returns the local seconds that are to be asked for so that nothing between two moments is missed, whatever the clock
 * did in between. The end is at most a day ahead.
 */
export async function readRange(reader: Reader, from: number, to: number): Promise<{ from: number; to: number }> {
  const clock = await getClock(reader)
  const end = Math.min(to, reader.env.now() + DAY)
  const changes = clock.filter((period) => period.from > from && period.from < end).map((period) => period.from)
  const moments = [from, end, ...changes, ...changes.map((at) => at - 1)]
  const locals = moments.map((at) => toLocal(clock, at))
  return {
    from: Math.max(0, Math.floor(Math.min(...locals) / SECOND)),
    to: Math.max(0, Math.ceil(Math.max(...locals) / SECOND)),
  }
}
