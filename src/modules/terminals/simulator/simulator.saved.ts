import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import type { Account, Deal, Engine, Position, State } from './simulator.state.ts'

const FORM = 'brokerbase simulator 1'

/** What is not in a list of its own: the first line of the file. */
type Head = Pick<State, 'build' | 'skew' | 'clock' | 'nextDeal' | 'nextOrder' | 'logins'> & {
  form: string
  seed: number
  groups: State['groups'] extends Map<string, infer G> ? G[] : never
  symbols: State['symbols'] extends Map<string, infer S> ? S[] : never
  managers: State['managers'] extends Map<number, infer M> ? M[] : never
  rates: [string, number][]
  unseen: [number, number][]
  touched: number[]
  /** The certificate that it presents, so that a confirmed fingerprint stays. */
  identity: { cert: string; key: string } | null
}

/** Deals are lists of values, since their names would be most of the file. */
type DealValues = (string | number)[]

type SavedAccount = Omit<Account, 'positions' | 'deals'> & {
  isArchived: boolean
  positions: Position[]
  deals: DealValues[]
}

const packDeal = (deal: Deal): DealValues => [
  deal.id,
  deal.order,
  deal.position,
  deal.at,
  deal.action,
  deal.entry,
  deal.symbol,
  deal.lots,
  deal.lotsClosed,
  deal.price,
  deal.pricePosition,
  deal.profit,
  deal.swap,
  deal.commission,
  deal.fee,
  deal.reason,
  deal.comment,
  deal.flags,
  deal.dealer,
  deal.bid,
  deal.ask,
]

function unpackDeal(login: number, values: DealValues): Deal {
  let at = 0
  const number = (): number => {
    const value = values[at]
    at += 1
    if (typeof value !== 'number') throw new Error('a deal of the saved state is damaged')
    return value
  }
  const text = (): string => {
    const value = values[at]
    at += 1
    return String(value ?? '')
  }
  // the fields are in the order in which they were packed
  return {
    id: number(),
    login,
    order: number(),
    position: number(),
    at: number(),
    action: number(),
    entry: number(),
    symbol: text(),
    lots: number(),
    lotsClosed: number(),
    price: number(),
    pricePosition: number(),
    profit: number(),
    swap: number(),
    commission: number(),
    fee: number(),
    reason: number(),
    comment: text(),
    flags: number(),
    dealer: number(),
    bid: number(),
    ask: number(),
  }
}

const packAccount = (account: Account, isArchived: boolean): SavedAccount => ({
  ...account,
  isArchived,
  positions: [...account.positions.values()],
  deals: account.deals.map(packDeal),
})

function packHead({ state, random }: Engine, identity: Head['identity']): Head {
  const { build, skew, clock, nextDeal, nextOrder, logins } = state
  return {
    form: FORM,
    seed: random.seed,
    build,
    skew,
    clock,
    nextDeal,
    nextOrder,
    logins,
    groups: [...state.groups.values()],
    symbols: [...state.symbols.values()],
    managers: [...state.managers.values()],
    rates: [...state.rates],
    unseen: [...state.unseen],
    touched: [...state.touched],
    identity,
  }
}

/** Saves a server into a file of lines, which replaces the older one at once. */
export function saveState(path: string, engine: Engine, identity: Head['identity']): void {
  const scratch = `${path}.new`
  const file = openSync(scratch, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(packHead(engine, identity))}\n`)
    for (const account of engine.state.accounts.values())
      writeSync(file, `${JSON.stringify(packAccount(account, false))}\n`)
    for (const account of engine.state.archive.values())
      writeSync(file, `${JSON.stringify(packAccount(account, true))}\n`)
  } finally {
    closeSync(file)
  }
  renameSync(scratch, path)
}

function unpackHead(head: Head): State {
  const { build, skew, clock, nextDeal, nextOrder, logins } = head
  return {
    build,
    skew,
    clock,
    nextDeal,
    nextOrder,
    logins,
    groups: new Map(head.groups.map((group) => [group.name, group])),
    symbols: new Map(head.symbols.map((symbol) => [symbol.name, symbol])),
    managers: new Map(head.managers.map((manager) => [manager.login, manager])),
    rates: new Map(head.rates),
    accounts: new Map(),
    archive: new Map(),
    positions: new Map(),
    deals: new Map(),
    unseen: new Map(head.unseen),
    touched: new Set(head.touched),
  }
}

function takeAccount(state: State, { isArchived, ...saved }: SavedAccount): void {
  const deals = saved.deals.map((values) => unpackDeal(saved.login, values))
  const positions = new Map(saved.positions.map((position) => [position.id, position]))
  const account: Account = { ...saved, deals, positions }
  if (isArchived) {
    state.archive.set(account.login, account)
    return
  }
  state.accounts.set(account.login, account)
  for (const deal of deals) state.deals.set(deal.id, deal)
  for (const position of positions.values()) state.positions.set(position.id, position)
}

function* readLines(bytes: Buffer): Iterable<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    yield bytes.toString('utf8', from, end === -1 ? bytes.length : end)
    from = end === -1 ? bytes.length : end + 1
  }
}

type Saved = { state: State; seed: number; identity: Head['identity'] }

const refuse = (path: string, cause?: unknown): Error =>
  new Error(`${path} is no state of a simulator; name another file.`, { cause })

/** Reads a saved server; undefined if there is no file. Throws a sentence if the file is something else. */
export function readState(path: string): Saved | undefined {
  if (!existsSync(path)) return undefined
  const lines = readLines(readFileSync(path))[Symbol.iterator]()
  try {
    const head: Head = JSON.parse(lines.next().value ?? '')
    if (head.form !== FORM) throw refuse(path)
    const state = unpackHead(head)
    for (let line = lines.next(); !line.done; line = lines.next()) takeAccount(state, JSON.parse(line.value))
    return { state, seed: head.seed, identity: head.identity }
  } catch (error) {
    throw refuse(path, error)
  }
}

const LEAST_PAUSE_MS = 3000

/** Saves a server when it has changed, but never spends more than a twentieth of the time on it. */
export type Keeper = { saveIfDue(): void; save(): void }

/** Makes the keeper of a file. */
export function makeKeeper(
  path: string,
  engine: Engine,
  parts: { now: () => number; identity: Head['identity'] },
): Keeper {
  let saved = -1
  let next = 0
  const save = (): void => {
    if (saved === engine.changes) return
    const began = parts.now()
    saved = engine.changes
    saveState(path, engine, parts.identity)
    const end = parts.now()
    next = end + Math.max(LEAST_PAUSE_MS, 20 * (end - began))
  }
  return {
    save,
    saveIfDue: () => {
      if (parts.now() >= next) save()
    },
  }
}
