import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, flag, id, json, sealed, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, internal, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** The sign-in data of a user or client. None of it ever enters the audit. */
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
    /** Whether a colleague chose the password, so that it must be changed before anything lasting can be done. */
    mustChange: flag().notNull().default(false),
    /** When the last wrong codes came, from all addresses, and when the holder was mailed about them. */
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
    tokenHash: column(text().notNull(), internal, 'hidden'),
    userId: column(id(), internal, 'hidden'),
    traderId: column(id(), untold, 'hidden'),
    impersonatorId: column(id(), colleague, 'hidden'),
    ip: column(text().notNull(), fact, 'hidden'),
    userAgent: column(text().notNull().default(''), fact, 'hidden'),
    createdAt: stamps.createdAt,
    lastSeenAt: column(time().notNull(), fact, 'hidden'),
    /** When the password was last given in this session. */
    provenAt: column(time(), internal, 'hidden'),
    expiresAt: column(time().notNull(), fact, 'hidden'),
  },
  { entity: 'session', owner: 'traderId', secret: ['tokenHash'], person: { of: 'traderId', row: 'goes' } },
)
export type SessionRow = Row<typeof sessions>

/** Single-use links for invites and resets, found by the token's hash; the sealed token serves to mail a link again. */
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
