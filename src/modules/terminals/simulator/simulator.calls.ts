import { toLocal } from '../contract/terminal-clock.ts'
import type { Conditions } from './simulator.faults.ts'
import type { Row } from './simulator.shapes.ts'
import { type Account, type Deal, type Engine, type Manager, Refusal } from './simulator.state.ts'

/** Parameters by their names in lower case without underscores, so that `pass_main` and `PassMain` are one. */
export type Parameters = ReadonlyMap<string, unknown>

export type Call = {
  engine: Engine
  manager: Manager
  conditions: Conditions
  parameters: Parameters
}

/** A row, or null where the maker of rows lets others run. */
export type Rows = Iterable<Row | string | null>

export type Reply = {
  retcode: number
  answer?: Row | readonly string[]
  rows?: Rows
  /** Fields that stand beside the code. */
  top?: Row
}

/** Returns the one name under which a parameter is known. */
export const normalize = (name: string): string => name.toLowerCase().replaceAll('_', '')

/** Returns a parameter as text; null if it is missing. A list or an object is refused. */
export function readText(call: Call, name: string): string | null {
  const value = call.parameters.get(name)
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Refusal(3)
}

/** Returns a parameter as a whole number; null if it is missing. */
export function readInteger(call: Call, name: string): number | null {
  const text = readText(call, name)
  if (text === null || text === '') return null
  if (!/^-?\d{1,15}$/.test(text)) throw new Refusal(3)
  return Number(text)
}

export function needInteger(call: Call, name: string): number {
  const value = readInteger(call, name)
  if (value === null) throw new Refusal(3)
  return value
}

export function needText(call: Call, name: string): string {
  const value = readText(call, name)
  if (value === null || value === '') throw new Refusal(3)
  return value
}

/** Returns a list parameter, given as a list or as text with commas; null if it is missing. */
export function readList(call: Call, name: string): string[] | null {
  const value = call.parameters.get(name)
  if (value === undefined || value === null || value === '') return null
  const parts = Array.isArray(value) ? value.map(String) : String(value).split(',')
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

export function readNumbers(call: Call, name: string): number[] | null {
  const list = readList(call, name)
  if (list === null) return null
  if (list.some((part) => !/^\d{1,15}$/.test(part))) throw new Refusal(3)
  return list.map(Number)
}

/** Refuses the call of a manager who lacks a right. */
export function needRight(call: Call, right: number): void {
  if (!call.manager.rights.includes(right)) throw new Refusal(8)
}

const compiled = new Map<string, RegExp>()
function compile(mask: string): RegExp {
  const known = compiled.get(mask)
  if (known !== undefined) return known
  const made = new RegExp(`^${mask.split('*').map(RegExp.escape).join('.*')}$`, 'i')
  compiled.set(mask, made)
  return made
}

/** Returns whether a name is among masks: `*` stands for anything, and a mask after `!` leaves out. */
export function isAmong(name: string, masks: readonly string[]): boolean {
  let isIn = false
  for (const mask of masks) {
    if (mask.startsWith('!')) {
      if (compile(mask.slice(1)).test(name)) return false
    } else if (compile(mask).test(name)) isIn = true
  }
  return isIn
}

const TECHNICAL = 0x10000

/** Returns whether a manager sees a login at all. */
export const isVisible = (call: Call, account: Account): boolean =>
  isAmong(account.group, call.manager.masks) && ((account.rights & TECHNICAL) === 0 || call.manager.rights.includes(70))

/** Returns the login that a call is about; 13 if there is none, 8 if the manager does not see it. */
export function needAccount(call: Call, accounts = call.engine.state.accounts): Account {
  const account = accounts.get(needInteger(call, 'login'))
  if (account === undefined) throw new Refusal(13)
  if (!isVisible(call, account)) throw new Refusal(8)
  return account
}

/** How many are looked at before others may run. */
const BREATH = 20_000

/** Iterates over accounts of masks or of logins. */
export function* listAccounts(
  call: Call,
  by: { logins: readonly number[] } | { masks: readonly string[] },
  accounts = call.engine.state.accounts,
): Iterable<Account | null> {
  if ('logins' in by) {
    for (const login of new Set(by.logins)) {
      const account = accounts.get(login)
      if (account !== undefined && isVisible(call, account)) yield account
    }
    return
  }
  let looked = 0
  for (const account of accounts.values()) {
    looked += 1
    if (looked % BREATH === 0) yield null
    if (isAmong(account.group, by.masks) && isVisible(call, account)) yield account
  }
}

/** Returns which accounts a call asks for; exactly one of `login` and `group` is given. */
export function readAsked(call: Call): { logins: number[] } | { masks: string[] } {
  const [logins, masks] = [readNumbers(call, 'login'), readList(call, 'group')]
  if (logins !== null && masks === null) return { logins }
  if (masks !== null && logins === null) return { masks }
  throw new Refusal(3)
}

/** Returns whether a deal is shown already. */
export function isShown(engine: Engine, deal: Deal): boolean {
  const until = engine.state.unseen.get(deal.id)
  if (until === undefined) return true
  if (engine.now() < until) return false
  engine.state.unseen.delete(deal.id)
  return true
}

/** Returns a test for the moments between `from` and `to`, which are seconds of the server’s local clock. */
export function readWindow(call: Call): (at: number) => boolean {
  const { clock } = call.engine.state
  const [from, to] = [needInteger(call, 'from') * 1000, needInteger(call, 'to') * 1000 + 999]
  return (at) => {
    const local = toLocal(clock, at)
    return local >= from && local <= to
  }
}

const MOST_ROWS = 100

/** Returns the rows of one page; `total` may be at most 100. */
export function cutPage<T>(call: Call, list: readonly T[]): T[] {
  const [offset, total] = [readInteger(call, 'offset') ?? 0, readInteger(call, 'total') ?? MOST_ROWS]
  if (offset < 0 || total < 0) throw new Refusal(3)
  return list.slice(offset, offset + Math.min(total, MOST_ROWS))
}

/** Answers how many there are. */
export const countReply = (call: Call, count: number): Reply => ({
  retcode: 0,
  answer: { [call.conditions.capitalTotal ? 'Total' : 'total']: String(count) },
})
