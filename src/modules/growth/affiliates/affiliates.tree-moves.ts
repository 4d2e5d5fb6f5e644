import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { affiliateErrors } from './affiliates.errors.ts'
import { affiliateAncestors as ancestors } from './affiliates.table.ts'

/** A tree has at most this many levels, its top included. RULES “Affiliates”. */
export const MOST_LEVELS = 10

const up = alias(ancestors, 'up')
const down = alias(ancestors, 'down')
const COLUMNS = sql`(${bare(ancestors.tenantId)}, ${bare(ancestors.ancestorId)}, ${bare(ancestors.affiliateId)}, ${bare(ancestors.depth)})`
const ITSELF = statement(sql`INSERT INTO ${ancestors} ${COLUMNS} VALUES (?1, ?2, ?2, 0)`)
const JOIN = statement(
  sql`INSERT INTO ${ancestors} ${COLUMNS} SELECT ?1, ${up.ancestorId}, ${down.affiliateId}, ${up.depth} + ${down.depth} + 1
  FROM ${ancestors} ${up} JOIN ${ancestors} ${down} ON ${down.tenantId} = ?1 AND ${down.ancestorId} = ?2
  WHERE ${up.tenantId} = ?1 AND ${up.affiliateId} = ?3`,
)
const below = sql`SELECT ${down.affiliateId} FROM ${ancestors} ${down} WHERE ${down.tenantId} = ?1 AND ${down.ancestorId} = ?2`
const LEAVE = statement(
  sql`DELETE FROM ${ancestors} WHERE ${ancestors.tenantId} = ?1 AND ${ancestors.affiliateId} IN (${below})
  AND ${ancestors.ancestorId} NOT IN (${below})`,
)
const HEIGHT = statement(
  sql`SELECT max(${ancestors.depth}) AS n FROM ${ancestors} WHERE ${ancestors.tenantId} = ?1 AND ${ancestors.ancestorId} = ?2`,
)
const DEPTH = statement(
  sql`SELECT max(${ancestors.depth}) AS n FROM ${ancestors} WHERE ${ancestors.tenantId} = ?1 AND ${ancestors.affiliateId} = ?2`,
)
const IS_BELOW = statement(
  sql`SELECT 1 AS n FROM ${ancestors} WHERE ${ancestors.tenantId} = ?1 AND ${ancestors.ancestorId} = ?2 AND ${ancestors.affiliateId} = ?3`,
)

const most = (db: Reader, query: string, id: string): number => db.query<{ n: number | null }>(query, [id])[0]?.n ?? 0

/** Returns whether an affiliate is the same as another one, or below it. */
const isBelow = (db: Reader, ancestorId: string, id: string): boolean => db.query(IS_BELOW, [ancestorId, id]).length > 0

/** Places a new affiliate in the tree; 409 if that is below the tenth level. */
export function place(tx: Tx, id: string, parentId: string | null): void {
  tx.execute(ITSELF, [id])
  hang(tx, id, parentId)
}

/** Moves an affiliate with all below it; 409 for a cycle, or if one comes below the tenth level. */
export function move(tx: Tx, id: string, parentId: string | null): void {
  if (parentId !== null && isBelow(tx, id, parentId)) throw affiliateErrors.cycle()
  tx.execute(LEAVE, [id])
  hang(tx, id, parentId)
}

function hang(tx: Tx, id: string, parentId: string | null): void {
  if (parentId === null) return
  if (most(tx, DEPTH, parentId) + 1 + most(tx, HEIGHT, id) >= MOST_LEVELS) throw affiliateErrors.too_deep()
  tx.execute(JOIN, [id, parentId])
}
