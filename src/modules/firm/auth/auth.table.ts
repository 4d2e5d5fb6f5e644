import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, json, type Row, sealed, tenantTable, time } from '../../../platform/db/tenant-table.ts'

/** What a user or a trader signs in with. Nothing of it ever enters the audit. */
export const credentials = tenantTable(
  'credentials',
  'crd',
  {
    userId: text(),
    traderId: text(),
    passwordHash: text(),
    totpSecret: sealed(),
    totpEnabled: flag().notNull().default(false),
    totpLastStep: integer().notNull().default(0),
    totpEnabledAt: time(),
    recoveryCodes: json<string[]>().notNull().default([]),
    /** A colleague chose the password: it is changed before anything that lasts. */
    mustChange: flag().notNull().default(false),
    /** When the last wrong codes came, over all addresses, and when the holder was told of them. */
    codeFailures: json<number[]>().notNull().default([]),
    codeAlarmAt: time(),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'credential',
    person: { of: 'traderId', row: 'goes' },
    owner: 'traderId',
    secret: ['passwordHash', 'totpSecret', 'totpLastStep', 'recoveryCodes'],
  },
)
export type CredentialRow = Row<typeof credentials>

export const sessions = tenantTable(
  'sessions',
  'ses',
  {
    tokenHash: text().notNull(),
    userId: text(),
    traderId: text(),
    impersonatorId: text(),
    ip: text().notNull(),
    userAgent: text().notNull().default(''),
    createdAt: time().notNull().default(0),
    lastSeenAt: time().notNull(),
    /** When the password was given once more in this session. */
    provenAt: time(),
    expiresAt: time().notNull(),
  },
  { entity: 'session', owner: 'traderId', secret: ['tokenHash'], person: { of: 'traderId', row: 'goes' } },
)
export type SessionRow = Row<typeof sessions>

/**
 * Single-use links of invites and resets: found by the token's
 * hash; sealed beside it for a mail that is sent once more.
 */
export const oneTimeLinks = tenantTable(
  'one_time_links',
  'otl',
  {
    purpose: text({ enum: ['invite', 'reset'] }).notNull(),
    tokenHash: text().notNull(),
    token: sealed(),
    userId: text(),
    traderId: text(),
    createdAt: time().notNull().default(0),
    expiresAt: time().notNull(),
  },
  {
    entity: 'one_time_link',
    owner: 'traderId',
    secret: ['tokenHash', 'token'],
    audited: false,
    person: { of: 'traderId', row: 'goes' },
  },
)
export type OneTimeLinkRow = Row<typeof oneTimeLinks>
