import { getAccount, getGroup } from './simulator.engine.ts'
import { type Account, type Engine, Refusal } from './simulator.state.ts'

/** The bits of an account’s rights: it may sign in, it may not trade, and what an account usually has. */
export const ENABLED = 0x1
export const TRADE_DISABLED = 0x4
const USUAL_RIGHTS = 483

export type NewAccount = {
  group: string
  name: string
  leverage: number
  main: string
  investor: string
  login?: number
  rights?: number
  email?: string
  phone?: string
  country?: string
  comment?: string
  texts?: Record<string, string>
}

/** Returns whether a password has all four kinds of characters and a length that the group takes. */
export const isGoodPassword = (password: string, least: number): boolean =>
  password.length >= least &&
  password.length <= 16 &&
  [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].every((kind) => kind.test(password))

function chooseLogin(engine: Engine, wanted: number): number {
  const { logins, accounts, managers } = engine.state
  const isTaken = (login: number): boolean => accounts.has(login) || managers.has(login)
  if (wanted !== 0) {
    if (isTaken(wanted)) throw new Refusal(3004)
    if (wanted < logins.from || wanted > logins.to) throw new Refusal(3003)
    return wanted
  }
  while (isTaken(logins.next)) logins.next += 1
  if (logins.next > logins.to) throw new Refusal(3002)
  return logins.next
}

/** Opens an account as the platform does, with its codes for what is refused. */
export function addAccount(engine: Engine, given: NewAccount): Account {
  const group = engine.state.groups.get(given.group)
  if (group === undefined) throw new Refusal(8)
  const rights = given.rights ?? USUAL_RIGHTS
  if ((rights & ENABLED) === 0 || given.name === '' || given.leverage < 1 || given.leverage > 5000) throw new Refusal(3)
  for (const password of [given.main, given.investor])
    if (!isGoodPassword(password, group.passwordLength)) throw new Refusal(3006)
  const login = chooseLogin(engine, given.login ?? 0)
  const account: Account = {
    login,
    group: group.name,
    rights,
    leverage: given.leverage,
    registered: engine.now(),
    name: given.name,
    email: given.email ?? '',
    phone: given.phone ?? '',
    country: given.country ?? '',
    comment: given.comment ?? '',
    texts: given.texts ?? {},
    main: given.main,
    investor: given.investor,
    balance: 0,
    credit: 0,
    notBooked: 0,
    positions: new Map(),
    deals: [],
    orders: [],
  }
  engine.state.accounts.set(login, account)
  engine.changes += 1
  return account
}

/** Moves an account to another group. Its positions leave the books of one and enter those of the other. */
export function moveGroup(engine: Engine, given: { login: number; group: string }): void {
  const account = getAccount(engine, given.login)
  const [from, to] = [getGroup(engine, account.group), getGroup(engine, given.group)]
  if (from.currency !== to.currency || from.digits !== to.digits) throw new Refusal(3010)
  if (from.server !== to.server) throw new Refusal(3009)
  account.group = to.name
  engine.changes += 1
}

function takeAway(engine: Engine, account: Account): void {
  const { state } = engine
  state.accounts.delete(account.login)
  state.touched.delete(account.login)
  for (const { id } of account.deals) state.deals.delete(id)
  for (const id of account.positions.keys()) state.positions.delete(id)
  engine.changes += 1
}

/** Puts an account with its deals into the archive, in place of an older copy there. */
export function archiveAccount(engine: Engine, given: { login: number }): void {
  const account = engine.state.accounts.get(given.login)
  if (account === undefined) throw new Refusal(13)
  if (account.positions.size > 0 || account.orders.length > 0) throw new Refusal(3008)
  takeAway(engine, account)
  engine.state.archive.set(account.login, account)
}

/** Brings an account back from the archive, which keeps its copy. */
export function restoreAccount(engine: Engine, given: { login: number }): void {
  const { state } = engine
  const kept = state.archive.get(given.login)
  if (kept === undefined) throw new Refusal(13)
  if (state.accounts.has(given.login)) throw new Refusal(3004)
  const account = structuredClone(kept)
  state.accounts.set(account.login, account)
  for (const deal of account.deals) state.deals.set(deal.id, deal)
  engine.changes += 1
}

/** Deletes an account with its deals; one with open positions is refused. */
export function deleteAccount(engine: Engine, given: { login: number }): void {
  const account = engine.state.accounts.get(given.login)
  if (account === undefined) throw new Refusal(13)
  if (account.positions.size > 0) throw new Refusal(3008)
  takeAway(engine, account)
}

/** Gives the login of an account to somebody else, as after a deletion. The registration tells the two apart. */
export function reuseLogin(engine: Engine, given: { login: number; name: string }): Account {
  const { group, leverage, main, investor } = getAccount(engine, given.login)
  deleteAccount(engine, given)
  return addAccount(engine, { login: given.login, name: given.name, group, leverage, main, investor })
}

/** Removes the accounts of demo groups that are older than a moment. */
export function cleanDemo(engine: Engine, given: { before: number }): number[] {
  const old = [...engine.state.accounts.values()].filter(
    ({ group, registered }) => group.startsWith('demo') && registered < given.before,
  )
  for (const account of old) takeAway(engine, account)
  return old.map(({ login }) => login)
}
