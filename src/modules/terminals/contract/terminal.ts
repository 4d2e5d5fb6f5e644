import { type Static, Type } from '@sinclair/typebox'

/** A decimal number as text, exact: `-125.50`. Numbers of a terminal never pass through a float. */
const Decimal = Type.String({ maxLength: 40, pattern: '^-?[0-9]{1,24}(\\.[0-9]{1,12})?$' })
/** The number of a login, deal, order or position: digits without zeros before them. */
const Number_ = Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$' })
const Text = Type.String({ maxLength: 300 })
/** A moment in milliseconds since the epoch, UTC. */
const Moment = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/**
 * What a login of ours may do at the terminal. The first five are of use: sign in, read logins, read deals and
 * positions, book money, open and change logins. `personal` shows names and addresses, `technical` accounts of
 * machines.
 * Of the last three none is needed, and a login should have none of them.
 */
export const RIGHTS = [
  'connect',
  'accounts',
  'trades',
  'money',
  'change',
  'personal',
  'technical',
  'administrator',
  'delete',
  'edit_trades',
] as const

/** A group of logins, which share a currency and the way in which positions are kept. */
export const Group = Type.Object({
  name: Text,
  currency: Type.String({ maxLength: 10 }),
  /** The places of an amount in this currency. */
  digits: Type.Integer({ minimum: 0, maximum: 8 }),
  /** Netting has one position for each symbol, hedging one for each order. */
  marginMode: Type.Union([Type.Literal('netting'), Type.Literal('hedging')]),
  /** The least letters of a password. */
  passwordLength: Type.Integer({ minimum: 1, maximum: 64 }),
})
export type Group = Static<typeof Group>

/** What a sign-in shows of a terminal. */
export const Hello = Type.Object({
  build: Text,
  /** The clock of the terminal less UTC, in quarters of an hour. */
  offsetMinutes: Type.Integer({ minimum: -1440, maximum: 1440 }),
  /** How far its clock is beside that quarter. */
  skewMs: Type.Integer(),
  rights: Type.Array(Type.Union(RIGHTS.map((right) => Type.Literal(right))), { maxItems: RIGHTS.length }),
  groups: Type.Array(Group, { maxItems: 5000 }),
})
export type Hello = Static<typeof Hello>

/** A login with its money. What the terminal does not say is null, which is never zero. */
export const State = Type.Object({
  login: Number_,
  group: Text,
  leverage: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** Whether the client may trade and may sign in. */
  mayTrade: Type.Boolean(),
  maySignIn: Type.Boolean(),
  registeredAt: Moment,
  comment: Text,
  balance: Decimal,
  credit: Decimal,
  equity: nullable(Decimal),
  marginFree: nullable(Decimal),
})
export type State = Static<typeof State>

/** Whom a login belongs to, as far as our rights show it; empty where they do not. */
export const Person = Type.Object({ login: Number_, name: Text, email: Text, phone: Text, country: Text })
export type Person = Static<typeof Person>

/** What kinds of deals there are. Commissions, interest and taxes are a `cost`; `agent` is paid to an agent. */
export const DEAL_KINDS = [
  'trade',
  'balance',
  'credit',
  'charge',
  'correction',
  'bonus',
  'cost',
  'agent',
  'compensation',
  'credit_compensation',
] as const
export const DEAL_ENTRIES = ['in', 'out', 'turn', 'by'] as const

/** One deal. `cancelled` was a trade and counts for nothing any more. */
export const Deal = Type.Object({
  id: Number_,
  login: Number_,
  at: Moment,
  kind: Type.Union(DEAL_KINDS.map((kind) => Type.Literal(kind))),
  /** The number that the terminal gives its kind. */
  action: Type.Integer({ minimum: 0, maximum: 1000 }),
  entry: nullable(Type.Union(DEAL_ENTRIES.map((entry) => Type.Literal(entry)))),
  position: nullable(Number_),
  order: nullable(Number_),
  symbol: nullable(Type.String({ minLength: 1, maxLength: 64 })),
  side: nullable(Type.Union([Type.Literal('long'), Type.Literal('short')])),
  /** Lots with up to eight places. */
  lots: Decimal,
  /** Of a `turn` the lots that it closed; of others null. */
  lotsClosed: nullable(Decimal),
  price: nullable(Decimal),
  profit: Decimal,
  swap: Decimal,
  commission: Decimal,
  fee: Decimal,
  /** The cost of the spread in the currency of the account; null where the market’s prices are not said. */
  spread: nullable(Decimal),
  /** Whether its lots were neither opened nor closed by anybody: a rollover, a split, a migration. */
  technical: Type.Boolean(),
  /** Why it was made, in the words of the terminal. */
  reason: Text,
  comment: Text,
  /** Who changed it since, in the words of the terminal. */
  flags: Type.Array(Text, { maxItems: 20 }),
  cancelled: Type.Boolean(),
})
export type Deal = Static<typeof Deal>

/** An open position. */
export const OpenPosition = Type.Object({
  /** What the client sees as the ticket; the position’s own number stays when its side turns. */
  ticket: Number_,
  login: Number_,
  symbol: Type.String({ minLength: 1, maxLength: 64 }),
  side: Type.Union([Type.Literal('long'), Type.Literal('short')]),
  lots: Decimal,
  openPrice: Decimal,
  currentPrice: Decimal,
  profit: Decimal,
  swap: Decimal,
  openedAt: Moment,
})
export type OpenPosition = Static<typeof OpenPosition>

/**
 * What became of an instruction: `refused` and `not_sent` are known not to have been done, `unclear` may have been, and
 * is never sent again.
 */
export const Outcome = Type.Union([
  Type.Object({ is: Type.Literal('done'), id: Number_ }),
  Type.Object({ is: Type.Literal('refused'), code: Text }),
  Type.Object({ is: Type.Literal('unclear'), why: Text }),
  Type.Object({ is: Type.Literal('not_sent'), why: Text }),
])
export type Outcome = Static<typeof Outcome>

/** Which deals are asked for: of logins, or of all groups that are read, in a time; or by number. */
export type DealQuery = { logins: readonly string[] | 'all'; from: number; to: number } | { ids: readonly string[] }

/** What is changed of a login. */
export type Change =
  | { leverage: number }
  | { group: string }
  | { trading: boolean }
  | { signIn: boolean }
  | { password: 'main' | 'investor'; value: string }

export type NewLogin = {
  group: string
  leverage: number
  name: string
  /** It is the comment of the login, by which it is found after a lost answer. */
  reference: string
  main: string
  investor: string
  login?: string
}

/**
 * One trading server. A driver speaks to it and knows no rule of ours; all that is above it knows no platform. Every
 * call answers whole or throws a `TerminalFault`; lists come in pieces, each of them whole, and are complete only when
 * the iteration ends. Calls for reading and calls for money use a session each, and run beside one another.
 */
export type Terminal = {
  hello(): Promise<Hello>
  logins(): Promise<string[]>
  states(logins: readonly string[] | 'all'): AsyncIterable<State[]>
  /** Returns those of the logins that the terminal has in its archive. */
  archived(logins: readonly string[]): Promise<string[]>
  people(logins: readonly string[]): Promise<Person[]>
  deals(query: DealQuery): AsyncIterable<Deal[]>
  positions(logins: readonly string[] | 'all'): AsyncIterable<OpenPosition[]>
  /** Books an amount, once: positive into the account, negative out of it. `reference` becomes the whole comment. */
  move(order: { login: string; amount: string; reference: string }): Promise<Outcome>
  /** Returns the deals of a login since a moment whose comment begins with the reference, by a session made anew. */
  find(order: { login: string; reference: string; since: number }): Promise<Deal[]>
  open(order: NewLogin): Promise<Outcome>
  /** Returns the login of a group whose comment is the reference, by a session made anew; null if there is none. */
  findOpened(order: { group: string; reference: string }): Promise<string | null>
  /** Sets one value and reads it back; `refused` with `not_applied` if the terminal did not take it. */
  set(login: string, change: Change): Promise<Outcome>
  quit(): Promise<void>
}

export const TRUST = ['public', 'authority', 'pinned'] as const
/** Since when the clock of a terminal was how many minutes ahead of UTC. */
const ClockPeriod = Type.Object({ from: Moment, minutes: Type.Integer() })
export type ClockPeriod = Static<typeof ClockPeriod>

/** How a terminal is reached. The password is known to the child that speaks to it, and to nothing else. */
export const TerminalAddress = Type.Object({
  /** `https://host:port` */
  address: Type.String(),
  trust: Type.Union(TRUST.map((trust) => Type.Literal(trust))),
  /** `authority`: PEM of it; `pinned`: the SHA-256 of the certificate in hexadecimal digits, without colons. */
  certificate: nullable(Type.String()),
  login: Type.String(),
  password: Type.String(),
  /** Which groups are read: masks with `*`, a leading `!` leaves out. */
  masks: Type.Array(Type.String()),
  requestsPerSecond: Type.Number(),
  /** CIDRs of private addresses that may be connected to. */
  allowedNetworks: Type.Array(Type.String()),
  /** The known periods of its clock, the earliest first; empty before the first sign-in. */
  clock: Type.Array(ClockPeriod),
})
export type TerminalAddress = Static<typeof TerminalAddress>

/** A certificate as a terminal presented it, trusted or not. */
export const Certificate = Type.Object({
  fingerprint: Text,
  names: Type.Array(Text, { maxItems: 100 }),
  issuer: Text,
  validTo: Moment,
})
export type Certificate = Static<typeof Certificate>

/** A kind of trading server. */
export type Driver = {
  name: string
  traits: {
    /** Closings follow from deals, or from reports of positions. */
    closes: 'deals' | 'positions'
    /** Whether money is found again by looking it up, or the terminal itself takes each reference once. */
    money: 'look-up' | 'key'
    clock: 'local' | 'utc'
    stream: boolean
  }
  connect(address: TerminalAddress): Terminal
  /** Returns the certificate that the address presents, without trusting it and without sending anything. */
  presented(address: Omit<TerminalAddress, 'password'>): Promise<Certificate>
}
