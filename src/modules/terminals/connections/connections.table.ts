import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, json, sealed, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { TRUST } from '../contract/terminal.ts'

export const DRIVERS = ['terminal5', 'simulator'] as const
export const HEALTH = ['connecting', 'connected', 'waiting', 'stopped'] as const

export const ACCOUNT_TYPES = ['live', 'demo'] as const
/** Which groups of a terminal are read, and whether their accounts are live; the first mask that fits counts. */
export type GroupMask = { mask: string; type: (typeof ACCOUNT_TYPES)[number] }
/** How often is read, in seconds: deals, open positions, balances; and how often a mere price is written. */
type Pace = { deals: number; positions: number; accounts: number; prices: number }

/** The settings that a second person has to confirm. RULES “Connections”. */
export type Guarded = {
  address: string
  trust: (typeof TRUST)[number]
  certificate: string | null
  login: string
  groups: GroupMask[]
  /** Milliseconds UTC. */
  since: number
  money: boolean
}
/** A change of guarded settings that waits for a second person; its password lies beside it, sealed. */
export type Pending = { by: string[]; at: number; entry: number; fields: Partial<Guarded>; hasPassword: boolean }

/** Trading servers that Brokerbase speaks to itself. */
export const terminalConnections = tenantTable(
  'terminal_connections',
  'trm',
  {
    name: text().notNull(),
    driver: text({ enum: DRIVERS }).notNull(),
    platform: text().notNull(),
    server: text().notNull(),
    address: text().notNull(),
    trust: text({ enum: TRUST }).notNull(),
    /** PEM of an authority, or the SHA-256 of a pinned certificate. */
    certificate: text(),
    login: text().notNull(),
    password: sealed().notNull(),
    groups: json<GroupMask[]>().notNull(),
    since: time().notNull(),
    money: flag().notNull().default(false),
    readEvery: json<Pace>().notNull(),
    requestsPerSecond: integer().notNull(),
    paused: flag().notNull().default(false),
    enteredBy: json<string[]>().notNull(),
    enteredAt: time().notNull(),
    confirmedBy: text(),
    confirmedAt: time(),
    entry: integer().notNull().default(1),
    /** Since when no money moves until an owner says so, as a copy of the database was put back. */
    moneyHeldAt: time(),
    pending: json<Pending>(),
    pendingPassword: sealed(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
  },
  { entity: 'terminal_connection', secret: ['password', 'pendingPassword'], softDelete: true },
)
export type ConnectionRow = Row<typeof terminalConnections>

/** How a connection fares, under the id of the connection. It changes all the time and is no act of anybody. */
export const terminalHealth = tenantTable(
  'terminal_health',
  'trh',
  {
    state: text({ enum: HEALTH }).notNull().default('connecting'),
    stateSince: time().notNull(),
    lastReadAt: time(),
    lastDealAt: time(),
    /** Up to here deals were read whole. */
    dealsUntil: time(),
    nextTryAt: time(),
    failures: integer().notNull().default(0),
    errorCode: text(),
    errorDetail: json<Record<string, string>>(),
    errorAt: time(),
    mailedAt: time(),
    build: text(),
    testedAt: time(),
    test: json<object>(),
  },
  { entity: 'terminal_health', audited: false },
)
export type HealthRow = Row<typeof terminalHealth>

/** The periods of each server’s clock. */
export const terminalClocks = tenantTable(
  'terminal_clocks',
  'trc',
  {
    connectionId: text().notNull(),
    since: time().notNull(),
    minutes: integer().notNull(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'terminal_clock', audited: false },
)
