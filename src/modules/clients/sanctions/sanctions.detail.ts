import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { findClientNames } from '../traders/traders.rows.ts'
import { traders } from '../traders/traders.table.ts'
import { type HitDetail, toHit } from './sanctions.model.ts'
import { sanctionsEntries as entries, type HitRow, sanctionsLists as lists, sanctionsHits } from './sanctions.table.ts'

type Detail = Static<typeof HitDetail>

const ENTRY = statement(
  sql`SELECT ${listed({
    kind: entries.kind,
    names: entries.names,
    births: entries.births,
    countries: entries.countries,
    programme: entries.programme,
  })}
  FROM ${lists} JOIN ${entries} ON ${entries.tenantId} = ?1 AND ${entries.listId} = ${lists.id}
  WHERE ${lists.tenantId} = ?1 AND ${lists.source} = ?2 AND ${lists.current} = 1 AND ${entries.reference} = ?3`,
)
type EntryRow = { kind: string; names: string; births: string; countries: string; programme: string | null }

const texts = (json: string): string[] => {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.map(String) : []
}

function findEntryDetail(db: Reader, { source, reference }: HitRow): Detail['entry'] {
  const [row] = db.query<EntryRow>(ENTRY, [source, reference])
  if (!row) return null
  const [name = '', ...aliases] = texts(row.names)
  return {
    kind: row.kind,
    name,
    aliases,
    births: texts(row.births),
    countries: texts(row.countries),
    programme: row.programme,
  }
}

function findClientDetail(db: Reader, traderId: string): Detail['client'] {
  const trader = db.scope.readsClients ? db.find(traders, { id: traderId }, { withDeleted: true }) : undefined
  if (!trader) return null
  return {
    name: findClientNames(db, [traderId]).get(traderId) ?? null,
    dateOfBirth: trader.dateOfBirth,
    country: trader.country,
    city: trader.address?.city ?? null,
  }
}

/** Answers a match with both sides: what the firm knows of the client, and the entry in the current list. */
export function readHit({ db }: Ctx, id: string): Detail {
  const row = db.get(sanctionsHits, id)
  return { ...toHit(row), client: findClientDetail(db, row.traderId), entry: findEntryDetail(db, row) }
}
