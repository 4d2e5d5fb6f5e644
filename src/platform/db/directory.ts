import { type Column, type SQL, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Connection } from '../sqlite.ts'
import type { Reader } from './reader.ts'
import { listed, statement } from './statement.ts'

/** The only table whose rows belong to no tenant. It is not exported, so that all questions about firms come here. */
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

// identity runs these on every request: look-ups by key, on the connection that it uses

const STATUS = statement(sql`SELECT ${tenants.status} FROM ${tenants} WHERE ${tenants.id} = ?`)
const ENTRY = statement(
  sql`SELECT ${tenants.status}, ${tenants.settings} ->> '$.security.secondFactorRoles' AS demanded
    FROM ${tenants} WHERE ${tenants.id} = ?`,
)

/** Returns whether people of this tenant may sign in now. */
export const tenantIsActive = (db: Connection, tenantId: string): boolean =>
  db.get<Pick<TenantRow, 'status'>>(STATUS, [tenantId])?.status === 'active'

/** Returns whether people of a tenant may sign in, and which roles must have a second factor: a JSON list, or null. */
export const findEntryRules = (db: Connection, tenantId: string) =>
  db.get<Pick<TenantRow, 'status'> & { demanded: string | null }>(ENTRY, [tenantId])

const IDS = statement(sql`SELECT ${tenants.id} FROM ${tenants} ORDER BY ${tenants.id}`)

/** Returns every tenant's id, for work on all of them. */
export const tenantIds = (db: Connection): string[] => db.all<{ id: string }>(IDS).map(({ id }) => id)

// what a firm may read about itself; `db` reads its own tenant

const OWN = statement(sql`SELECT ${columns} FROM ${tenants} WHERE ${tenants.id} = ?1`)
const OWN_NAME = statement(sql`SELECT ${tenants.name} FROM ${tenants} WHERE ${tenants.id} = ?1`)
const OWN_SETTINGS = statement(sql`SELECT ${tenants.settings} FROM ${tenants} WHERE ${tenants.id} = ?1`)

/** Returns the reader's own tenant. */
export const ownTenant = (db: Reader): TenantRow | undefined => db.query<TenantRow>(OWN)[0]
/** Returns the name of the reader's own tenant, for mails and as a text that a password must not contain. */
export const ownName = (db: Reader): string => db.query<Pick<TenantRow, 'name'>>(OWN_NAME)[0]?.name ?? 'Brokerbase'
/** Returns the stored settings of the reader's own tenant. */
export const ownSettings = (db: Reader): string =>
  db.query<Pick<TenantRow, 'settings'>>(OWN_SETTINGS)[0]?.settings ?? '{}'

// look-ups over all tenants, for a caller who knows something that only one tenant has

declare const past: unique symbol
/** One look-up over all tenants; made by `lookUp` only. */
export type LookUp<R> = { readonly sql: string; readonly [past]: R }

/**
 * Declares a look-up over all tenants by one key (`?`) that cannot be guessed, such as a token's hash or a signed id.
 * Only the owner of a `BoxCtx` can run it.
 */
export const lookUp = <R>(query: SQL): LookUp<R> => ({ sql: statement(query) }) as LookUp<R>

/** Returns the SQL join that leaves out rows of suspended firms; `column` is the row's tenant. */
export const ofActiveTenant = (column: Column | SQL): SQL =>
  sql`JOIN ${tenants} ON ${tenants.id} = ${column} AND ${tenants.status} = 'active'`

/** The columns of the firm for a look-up joined with `ofActiveTenant`. */
export const tenantFacts = listed({ tenantSlug: tenants.slug, tenantName: tenants.name, tenantDomain: tenants.domain })

const ONE = statement(sql`SELECT ${columns} FROM ${tenants} WHERE ${tenants.id} = ?`)
const EVERY = statement(sql`SELECT ${columns} FROM ${tenants} ORDER BY ${tenants.createdAt}, ${tenants.id}`)
const ANY = statement(sql`SELECT 1 FROM ${tenants} LIMIT 1`)
const BY_DOMAIN = statement(sql`SELECT ${tenants.id} FROM ${tenants} WHERE ${tenants.domain} = ?`)
const BY_SLUG = statement(sql`SELECT ${tenants.id} FROM ${tenants} WHERE ${tenants.slug} = ?`)

/** Finds firms across the installation; nothing else does. */
export type Directory = {
  /** Returns whether no firm exists yet. */
  isEmpty(): boolean
  tenant(id: string): TenantRow | undefined
  /** Returns all firms, oldest first; there are few. */
  tenants(): TenantRow[]
  /** Returns the firm with this domain. */
  idOfDomain(domain: string): string | undefined
  /** Returns the firm with this name in addresses and commands. */
  idOfSlug(slug: string): string | undefined
  find<R>(what: LookUp<R>, key: string): R | undefined
  all<R>(what: LookUp<R>, key: string): R[]
}

/** Returns the directory over a connection. */
export const createDirectory = (connection: Connection): Directory => ({
  isEmpty: () => connection.get(ANY) === undefined,
  tenant: (id) => connection.get<TenantRow>(ONE, [id]),
  tenants: () => connection.all<TenantRow>(EVERY),
  idOfDomain: (domain) => connection.get<{ id: string }>(BY_DOMAIN, [domain])?.id,
  idOfSlug: (slug) => connection.get<{ id: string }>(BY_SLUG, [slug])?.id,
  find: <R>(what: LookUp<R>, key: string) => connection.get<R>(what.sql, [key]),
  all: <R>(what: LookUp<R>, key: string) => connection.all<R>(what.sql, [key]),
})
