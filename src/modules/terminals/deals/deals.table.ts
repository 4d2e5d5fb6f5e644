import { Type } from '@sinclair/typebox'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, id, json, shownAs, time } from '../../../platform/db/columns.ts'
import { fact, freeText, internal, ours, stays } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { OF_CLIENT } from '../contract/of-client.ts'
import { DEAL_ENTRIES, DEAL_KINDS } from '../contract/terminal.ts'

const DEAL_STATES = ['live', 'cancelled', 'gone'] as const

const TRADED = stays('what was traded')
const AS_READ = stays('an amount as the terminal wrote it')
/** Deals as they were read; the terminal’s own number is their key. They are never deleted. */
export const terminalDeals = tenantTable(
  'terminal_deals',
  'trx',
  {
    connectionId: column(id().notNull(), ours(stays('says where it was read')), 'api csv sql'),
    number: column(text().notNull(), TRADED, 'api csv sql'),
    login: column(text().notNull(), TRADED, 'api csv sql'),
    at: column(time().notNull(), fact, 'api csv sql'),
    kind: column(text({ enum: DEAL_KINDS }).notNull(), fact, 'api csv sql'),
    action: column(integer().notNull(), fact, 'api csv sql'),
    entry: column(text({ enum: DEAL_ENTRIES }), fact, 'api csv sql'),
    position: column(text(), TRADED, 'api csv sql'),
    orderNumber: column(text(), TRADED, 'api csv sql'),
    symbol: column(text(), TRADED, 'api csv sql'),
    side: column(text({ enum: ['long', 'short'] }), fact, 'api csv sql'),
    lots: column(text().notNull(), AS_READ, 'api csv sql'),
    lotsClosed: column(text(), AS_READ, 'api csv sql'),
    price: column(text(), AS_READ, 'api csv sql'),
    currency: column(currency().notNull(), TRADED, 'api csv sql'),
    profit: column(text().notNull(), AS_READ, 'api csv sql'),
    swap: column(text().notNull(), AS_READ, 'api csv sql'),
    commission: column(text().notNull(), AS_READ, 'api csv sql'),
    fee: column(text().notNull(), AS_READ, 'api csv sql'),
    spread: column(text(), AS_READ, 'api csv sql'),
    technical: column(flag().notNull(), fact, 'api csv sql'),
    reason: column(text().notNull(), TRADED, 'api csv sql'),
    comment: column(text().notNull(), freeText, 'api csv'),
    flags: column(shownAs(json<string[]>(), Type.Array(Type.String())).notNull(), TRADED, 'api'),
    state: column(text({ enum: DEAL_STATES }).notNull(), fact, 'api csv sql'),
    /** Which transfer of ours it is. */
    transferId: column(id(), TRADED, 'api csv sql'),
    missing: column(integer().notNull().default(0), internal, 'hidden'),
    revision: column(integer().notNull().default(1), fact, 'api csv sql'),
    createdAt: column(time().notNull().default(0), fact, 'hidden'),
    updatedAt: column(time().notNull().default(0), fact, 'hidden'),
  },
  { entity: 'terminal_deal', audited: false, person: { of: { sql: OF_CLIENT } } },
)
export type DealRow = Row<typeof terminalDeals>

/** What a deal said before it was changed. */
export const terminalDealRevisions = tenantTable(
  'terminal_deal_revisions',
  'tdr',
  {
    dealId: column(id().notNull(), internal, 'hidden'),
    revision: column(integer().notNull(), fact, 'hidden'),
    content: column(json<Record<string, unknown>>().notNull(), freeText, 'hidden'),
    createdAt: column(time().notNull().default(0), fact, 'hidden'),
  },
  {
    entity: 'terminal_deal_revision',
    audited: false,
    person: {
      of: { sql: `deal_id IN (SELECT id FROM terminal_deals WHERE tenant_id = ?1 AND ${OF_CLIENT})` },
      row: 'goes',
    },
  },
)
