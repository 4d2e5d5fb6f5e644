import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import {
  HTTPS_SERVER,
  Id,
  Line,
  LOGIN_NUMBER,
  Nullable,
  OneOf,
  Strict,
  Time,
  Version,
} from '../../../platform/wire/fields.ts'
import { FREE_LINE } from '../../../platform/wire/formats.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { TRUST } from '../contract/terminal.ts'
import {
  ACCOUNT_TYPES,
  type ConnectionRow,
  DRIVERS,
  type Guarded,
  HEALTH,
  type HealthRow,
  type Pending,
  terminalClocks,
  terminalConnections,
  terminalHealth,
} from './connections.table.ts'
import { explainFault } from './fault-words.ts'
import { livePending } from './pending.ts'
import { readTest, TestOut } from './test.model.ts'

const STATUS = ['unconfirmed', 'active', 'paused', 'error'] as const
/** The settings that a second person confirms. */
export const GUARDED = ['address', 'trust', 'certificate', 'login', 'password', 'groups', 'since', 'money'] as const

const Address = Type.String({
  minLength: 9,
  maxLength: 300,
  pattern: HTTPS_SERVER,
  description: 'https://host:port of the access server',
  examples: ['https://trade.example.com:443'],
})
const Login = Type.String({ pattern: LOGIN_NUMBER, maxLength: 19, description: 'of the manager account' })
const ApiPassword = Type.String({ minLength: 1, maxLength: 100, description: 'its API password; shown to nobody' })
const CertificateIn = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 20_000,
    description: 'PEM of an authority, or the SHA-256 of the pinned certificate; null with public trust',
  }),
)
export const Mask = Type.String({
  minLength: 1,
  maxLength: 127,
  pattern: '^[^\\s,!](?:[^,\\n\\r]*[^\\s,])?$',
  description: 'name of a group, with * for any letters',
  examples: ['real\\*'],
})
const Groups = nameSchema(
  'TerminalGroups',
  Type.Array(
    Strict({
      mask: Mask,
      type: OneOf(ACCOUNT_TYPES),
    }),
    { minItems: 1, maxItems: 100, description: 'the first mask that fits a group counts; others are not read' },
  ),
)
const readEvery = {
  deals: Type.Integer({ minimum: 5, maximum: 60, description: 'seconds' }),
  positions: Type.Integer({ minimum: 10, maximum: 300, description: 'seconds' }),
  accounts: Type.Integer({ minimum: 30, maximum: 600, description: 'seconds' }),
  prices: Type.Integer({ minimum: 5, maximum: 3600, description: 'seconds; a price alone is written no oftener' }),
}
const Pace = nameSchema('TerminalPace', Strict(readEvery))
/** How often a connection reads unless it says otherwise. */
export const DEFAULT_PACE = { deals: 10, positions: 30, accounts: 60, prices: 300 }
export const DEFAULT_REQUESTS = 5
const RequestsPerSecond = Type.Integer({ minimum: 1, maximum: 50 })
const Since = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'from when on deals are the truth; what was before makes no event and no commission',
})
const Server = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^\\S(?:.*\\S)?$',
  format: FREE_LINE,
  description: 'the name of the server, as accounts say it',
})
const example = {
  name: 'Live',
  driver: 'terminal5',
  platform: 'terminal5',
  server: 'Meridian-Live',
  address: 'https://trade.example.com:443',
  trust: 'pinned',
  certificate: 'ab'.repeat(32),
  login: '1001',
  groups: [{ mask: 'real\\*', type: 'live' }],
} as const

export const ConnectionIn = nameSchema(
  'TerminalConnectionIn',
  Strict(
    {
      name: Line(100),
      driver: OneOf(DRIVERS),
      platform: Type.String({ minLength: 1, maxLength: 50, description: 'one of the firm’s `platforms`' }),
      server: Server,
      address: Address,
      trust: OneOf(TRUST),
      certificate: Type.Optional(CertificateIn),
      login: Login,
      password: ApiPassword,
      groups: Groups,
      since: Type.Optional(Since),
      readEvery: Type.Optional(Pace),
      requestsPerSecond: Type.Optional(RequestsPerSecond),
    },
    { examples: [{ ...example, password: 'correct horse battery' }] },
  ),
)

export const ConnectionPatch = nameSchema(
  'TerminalConnectionPatch',
  Strict(
    {
      name: Type.Optional(Line(100)),
      paused: Type.Optional(Type.Boolean()),
      readEvery: Type.Optional(Pace),
      requestsPerSecond: Type.Optional(RequestsPerSecond),
      money: Type.Optional(Type.Boolean({ description: 'off at once; on waits for a second person' })),
      address: Type.Optional(Address),
      trust: Type.Optional(OneOf(TRUST)),
      certificate: Type.Optional(CertificateIn),
      login: Type.Optional(Login),
      password: Type.Optional(ApiPassword),
      groups: Type.Optional(Groups),
      since: Type.Optional(Since),
    },
    { examples: [{ name: 'Live, London', paused: true }] },
  ),
)
export const ConfirmIn = nameSchema(
  'TerminalConfirmIn',
  Strict({
    version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: '`pending.version` of what was looked at' }),
  }),
)
export const TestIn = nameSchema(
  'TerminalTestIn',
  Strict({ pending: Type.Optional(Type.Boolean({ description: 'test the settings that wait, not those in force' })) }),
)

const LastError = nameSchema('TerminalError', Type.Object({ code: Type.String(), text: Type.String(), at: Time }))
const Health = nameSchema(
  'TerminalHealth',
  Type.Object({
    state: OneOf(HEALTH),
    since: Time,
    lastReadAt: Nullable(Time),
    lastDealAt: Nullable(Time),
    lagSeconds: Nullable(Type.Integer({ description: 'since the last complete reading' })),
    clockOffsetMinutes: Nullable(Type.Integer({ description: 'its clock less UTC' })),
    nextTryAt: Nullable(Time),
    lastError: Nullable(LastError),
  }),
)

const guardedOut = {
  address: Type.Optional(Type.String({ description: 'for admins' })),
  trust: OneOf(TRUST),
  certificate: Type.Optional(Nullable(Type.String({ description: 'for admins' }))),
  login: Type.Optional(Type.String({ description: 'for admins' })),
  groups: Groups,
  since: Time,
  money: Type.Boolean(),
}
export const ConnectionOut = nameSchema(
  'TerminalConnection',
  Type.Object({
    id: Id,
    name: Type.String(),
    driver: OneOf(DRIVERS),
    platform: Type.String(),
    server: Type.String(),
    status: OneOf(STATUS),
    ...guardedOut,
    moneyHeldAt: Nullable(Time),
    readEvery: Pace,
    requestsPerSecond: Type.Integer(),
    enteredBy: Type.Array(Id, { description: 'who entered the guarded settings in force' }),
    enteredAt: Time,
    confirmedBy: Nullable(Id),
    confirmedAt: Nullable(Time),
    pending: Nullable(
      Type.Object({
        version: Type.Integer(),
        by: Type.Array(Id),
        at: Time,
        fields: Type.Array(OneOf(GUARDED)),
        values: Type.Object({ ...Type.Partial(Type.Object(guardedOut)).properties }),
      }),
    ),
    health: Health,
    lastTest: Nullable(TestOut),
    groupsRead: Type.Array(Type.Object({ name: Type.String(), currency: Type.String() }), {
      description: 'the server’s groups in which accounts are opened, once they are known',
    }),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Connection = Static<typeof ConnectionOut>

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))

/** Returns what is shown of guarded settings; where they lead, and as whom, only to admins. */
function showGuarded<T extends Partial<Guarded>>(settings: T, isAdmin: boolean) {
  const { address, certificate, login, since, trust, groups, money } = settings
  return {
    ...(isAdmin && address !== undefined && { address }),
    ...(trust !== undefined && { trust }),
    ...(isAdmin && certificate !== undefined && { certificate }),
    ...(isAdmin && login !== undefined && { login }),
    ...(groups !== undefined && { groups }),
    ...(since !== undefined && { since: toIso(since) }),
    ...(money !== undefined && { money }),
  }
}

/** Returns the state of a connection, which follows from what people decided and from how it fares. */
function findStatus(row: ConnectionRow, health: HealthRow | undefined): (typeof STATUS)[number] {
  if (row.paused) return 'paused'
  if (health?.state === 'stopped') return 'error'
  return row.confirmedAt === null ? 'unconfirmed' : 'active'
}

const toHealth = (row: ConnectionRow, health: HealthRow | undefined, minutes: number | null, now: number) => ({
  state: health?.state ?? ('connecting' as const),
  since: toIso(health?.stateSince ?? row.createdAt),
  lastReadAt: isoOrNull(health?.lastReadAt ?? null),
  lastDealAt: isoOrNull(health?.lastDealAt ?? null),
  lagSeconds: health?.lastReadAt == null ? null : Math.max(0, Math.round((now - health.lastReadAt) / 1000)),
  clockOffsetMinutes: minutes,
  nextTryAt: isoOrNull(health?.nextTryAt ?? null),
  lastError:
    health?.errorCode == null || health.errorAt === null
      ? null
      : {
          code: health.errorCode,
          text: explainFault(health.errorCode, health.errorDetail ?? {}),
          at: toIso(health.errorAt),
        },
})

/** Returns what waits for a second person: all settings of a new connection, else the change. */
export function findPending(row: ConnectionRow, now: number): Pending | null {
  if (row.confirmedAt !== null) return livePending(row.pending, now)
  const { address, trust, certificate, login, groups, since, money } = row
  const fields = { address, trust, certificate, login, groups, since, money }
  return { by: row.enteredBy, at: row.enteredAt, entry: row.entry, fields, hasPassword: true }
}

/** Returns the wire form of a connection; its password is in no answer. */
export function toConnection(
  row: ConnectionRow,
  { db, isAdmin, now, groupsRead }: { db: Reader; isAdmin: boolean; now: number } & Pick<Connection, 'groupsRead'>,
): Connection {
  const health = db.find(terminalHealth, { id: row.id })
  const [clock] = db.list(terminalClocks, { connectionId: row.id }, { orderBy: 'since', descending: true, limit: 1 })
  const pending = findPending(row, now)
  const { trust, groups, since, money } = row
  return {
    id: row.id,
    name: row.name,
    driver: row.driver,
    platform: row.platform,
    server: row.server,
    status: findStatus(row, health),
    ...showGuarded({ address: row.address, certificate: row.certificate, login: row.login }, isAdmin),
    trust,
    groups,
    since: toIso(since),
    money,
    moneyHeldAt: isoOrNull(row.moneyHeldAt),
    readEvery: row.readEvery,
    requestsPerSecond: row.requestsPerSecond,
    enteredBy: row.enteredBy,
    enteredAt: toIso(row.enteredAt),
    confirmedBy: row.confirmedBy,
    confirmedAt: isoOrNull(row.confirmedAt),
    pending: pending && {
      version: pending.entry,
      by: pending.by,
      at: toIso(pending.at),
      fields: GUARDED.filter((name) => (name === 'password' ? pending.hasPassword : name in pending.fields)),
      values: showGuarded(pending.fields, isAdmin),
    },
    health: toHealth(row, health, clock?.minutes ?? null, now),
    lastTest: readTest(health),
    groupsRead,
    version: row.version,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
}

export const connectionList = defineList({
  name: 'terminal_connections',
  table: terminalConnections,
  filters: {},
})
