import { type Column, type SQL, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Connection } from '../sqlite.ts'
import type { Reader } from './reader.ts'
import { listed, statement } from './statement.ts'

/** The one table whose rows are in no tenant. It stays in this file: who wants to know of a firm asks here. */
const tenants = sqliteTable('tenants', {
  id: text().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  domain: text(),
  status: text({ enum: ['active', 'suspended'] }).notNull(),
  branding: text().notNull(),
  featureFlags: text().notNull(),
  settings: text().notNull(),
  version: integer().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
})
export type TenantRow = typeof tenants.$inferSelect

const columns = listed({
  id: tenants.id,
  slug: tenants.slug,
  name: tenants.name,
  domain: tenants.domain,
  status: tenants.status,
  branding: tenants.branding,
  featureFlags: tenants.featureFlags,
  settings: tenants.settings,
  version: tenants.version,
  createdAt: tenants.createdAt,
  updatedAt: tenants.updatedAt,
})

// What identity asks on every request: point look-ups by key, on the connection it runs on.

const STATUS = statement(sql`SELECT ${tenants.status} FROM ${tenants} WHERE ${tenants.id} = ?`)
const ENTRY = statement(
  sql`SELECT ${tenants.status}, ${tenants.settings} ->> '$.security.secondFactorRoles' AS demanded
    FROM ${tenants} WHERE ${tenants.id} = ?`,
)

/** Whether anybody of this tenant may come in now. */
export const tenantIsActive = (db: Connection, tenantId: string): boolean =>
  db.get<Pick<TenantRow, 'status'>>(STATUS, [tenantId])?.status === 'active'

/** Whether anybody of a tenant may come in, and which roles must have a second factor: a JSON list, or null. */
export const entryOf = (db: Connection, tenantId: string) =>
  db.get<Pick<TenantRow, 'status'> & { demanded: string | null }>(ENTRY, [tenantId])

const IDS = statement(sql`SELECT ${tenants.id} FROM ${tenants} ORDER BY ${tenants.id}`)

/** Every tenant there is, for work that goes through all of them. */
export const tenantIds = (db: Connection): string[] => db.all<{ id: string }>(IDS).map(({ id }) => id)

// What a firm may know of itself: `db` reads its own tenant, and no trader's part of it.

const OWN = statement(sql`SELECT ${columns} FROM ${tenants} WHERE ${tenants.id} = ?1`)
const OWN_NAME = statement(sql`SELECT ${tenants.name} FROM ${tenants} WHERE ${tenants.id} = ?1`)
const OWN_SETTINGS = statement(sql`SELECT ${tenants.settings} FROM ${tenants} WHERE ${tenants.id} = ?1`)

/** The reader's own tenant. */
export const ownTenant = (db: Reader): TenantRow | undefined => db.query<TenantRow>(OWN)[0]
/** The name of the reader's own tenant, for mails and for what a password must not be. */
export const ownName = (db: Reader): string => db.query<Pick<TenantRow, 'name'>>(OWN_NAME)[0]?.name ?? 'Brokerbase'
/** The settings of the reader's own tenant as they are stored. */
export const ownSettings = (db: Reader): string =>
  db.query<Pick<TenantRow, 'settings'>>(OWN_SETTINGS)[0]?.settings ?? '{}'

// What looks past tenants, for those who know something that only one of them has.

declare const past: unique symbol
/** One thing that may be looked up in all tenants; made by `lookUp` only. */
export type LookUp<R> = { readonly sql: string; readonly [past]: R }

/**
 * Declares a look-up past tenants: by one key (`?`) that nobody has by chance, such as a token's hash or a signed id.
 * Only who holds a `BoxCtx` can run it.
 */
export const lookUp = <R>(query: SQL): LookUp<R> => ({ sql: statement(query) }) as LookUp<R>

/** A join that leaves out the rows of firms that are suspended; `column` is the row's tenant. */
export const ofActiveTenant = (column: Column | SQL): SQL =>
  sql`JOIN ${tenants} ON ${tenants.id} = ${column} AND ${tenants.status} = 'active'`

/** What a look-up joined with `ofActiveTenant` may say of the firm. */
export const tenantFacts = listed({ tenantSlug: tenants.slug, tenantName: tenants.name, tenantDomain: tenants.domain })

const ONE = statement(sql`SELECT ${columns} FROM ${tenants} WHERE ${tenants.id} = ?`)
const EVERY = statement(sql`SELECT ${columns} FROM ${tenants} ORDER BY ${tenants.createdAt}, ${tenants.id}`)
const ANY = statement(sql`SELECT 1 FROM ${tenants} LIMIT 1`)
const BY_DOMAIN = statement(sql`SELECT ${tenants.id} FROM ${tenants} WHERE ${tenants.domain} = ?`)
const BY_SLUG = statement(sql`SELECT ${tenants.id} FROM ${tenants} WHERE ${tenants.slug} = ?`)

/** Look-ups past tenants, each by its name: the only place that asks for firms across the box. */
export type Directory = {
  /** Whether no firm was founded yet. */
  isEmpty(): boolean
  tenant(id: string): TenantRow | undefined
  /** All firms, oldest first: a handful on one box. */
  tenants(): TenantRow[]
  /** The firm whose own domain this is. */
  idOfDomain(domain: string): string | undefined
  /** The firm that people call by this name in addresses and commands. */
  idOfSlug(slug: string): string | undefined
  find<R>(what: LookUp<R>, key: string): R | undefined
  all<R>(what: LookUp<R>, key: string): R[]
}

/** The directory as `connection` sees it. */
export const createDirectory = (connection: Connection): Directory => ({
  isEmpty: () => connection.get(ANY) === undefined,
  tenant: (id) => connection.get<TenantRow>(ONE, [id]),
  tenants: () => connection.all<TenantRow>(EVERY),
  idOfDomain: (domain) => connection.get<{ id: string }>(BY_DOMAIN, [domain])?.id,
  idOfSlug: (slug) => connection.get<{ id: string }>(BY_SLUG, [slug])?.id,
  find: <R>(what: LookUp<R>, key: string) => connection.get<R>(what.sql, [key]),
  all: <R>(what: LookUp<R>, key: string) => connection.all<R>(what.sql, [key]),
})
