import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { column, id, json, stamps, time } from '../../../platform/db/columns.ts'
import {
  colleague,
  colleagues,
  fact,
  freeText,
  internal,
  kept,
  ours,
  personalAs,
  stays,
  untold,
} from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const AFFILIATE_STATUS = ['pending', 'active', 'suspended', 'closed'] as const
export type AffiliateStatus = (typeof AFFILIATE_STATUS)[number]

/** Introducing brokers: clients who bring clients. RULES “Affiliates”. */
export const affiliates = tenantTable(
  'affiliates',
  'aff',
  {
    traderId: column(id().notNull(), untold, 'csv'),
    code: column(text().notNull(), personalAs(`'erased-' || substr(id, -20)`), 'csv'),
    parentId: column(id(), ours(stays('the tree stays for what others earn')), 'csv'),
    planId: column(id(), ours(stays('its terms stay for what others earn')), 'csv'),
    status: column(text({ enum: AFFILIATE_STATUS }).notNull().default('pending'), fact, 'csv'),
    createdBy: column(id(), colleague, 'hidden'),
    /** The colleague who set the affiliate's plan, and when. */
    planBy: column(id(), colleague, 'hidden'),
    planAt: column(time(), internal, 'hidden'),
    ...stamps,
  },
  {
    entity: 'affiliate',
    broker: {
      sql: `EXISTS (SELECT 1 FROM affiliate_ancestors WHERE affiliate_ancestors.tenant_id = affiliates.tenant_id
        AND affiliate_ancestors.ancestor_id = ? AND affiliate_ancestors.affiliate_id = affiliates.id)`,
    },
    fileOrder: 'createdAt code status',
    person: { of: 'traderId' },
  },
)
export type AffiliateRow = Row<typeof affiliates>

/** The affiliate that has a code (in small letters); a code that was given up is reserved for 90 days. */
export const affiliateCodes = tenantTable(
  'affiliate_codes',
  'afc',
  {
    code: text().notNull(),
    affiliateId: text().notNull(),
    freedAt: time(),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'affiliate_code',
    audited: false,
    person: {
      of: { sql: 'affiliate_id IN (SELECT id FROM affiliates WHERE tenant_id = ?1 AND trader_id = ?2)' },
      columns: { code: personalAs(`'erased-' || substr(id, -20)`), ...kept('points at rows that stay', 'affiliateId') },
    },
  },
)

/** The terms of an affiliate from a moment on: each change of parent, plan or status adds a row. */
export const affiliateTerms = tenantTable(
  'affiliate_terms',
  'aft',
  {
    affiliateId: text().notNull(),
    parentId: text(),
    planId: text(),
    status: text({ enum: AFFILIATE_STATUS }).notNull(),
    validFrom: time().notNull(),
    /** The colleague who set the plan or the parent; null if only the status changed. */
    setBy: text(),
  },
  { entity: 'affiliate_terms', audited: false },
)

/** All affiliates above an affiliate, and itself at depth 0; derived from the parents. */
export const affiliateAncestors = sqliteTable('affiliate_ancestors', {
  tenantId: text().notNull(),
  ancestorId: text().notNull(),
  affiliateId: text().notNull(),
  depth: integer().notNull(),
})

const AFFILIATION_VIA = ['code', 'click', 'lead', 'staff'] as const

/** The affiliate to whom a client belongs from a moment on; null for none. */
export const traderAffiliations = tenantTable(
  'trader_affiliations',
  'tra',
  {
    traderId: text().notNull(),
    affiliateId: text(),
    via: text({ enum: AFFILIATION_VIA }).notNull(),
    validFrom: time().notNull(),
    /** The colleague who gave the client to this affiliate. */
    setBy: text(),
  },
  {
    entity: 'trader_affiliation',
    audited: false,
    person: { of: 'traderId', columns: { ...kept('what others earned by', 'affiliateId'), ...colleagues('setBy') } },
  },
)

/** The values `{source, medium, campaign, term, content}` of a link. */
export type Utm = { source?: string; medium?: string; campaign?: string; term?: string; content?: string }

/** A visit through an affiliate's link: one row a day for a visitor and a code. Strangers write its free text. */
export const affiliateClicks = tenantTable(
  'affiliate_clicks',
  'clk',
  {
    affiliateId: column(id().notNull(), fact, 'sql'),
    // it would show who brought a client
    visitorId: column(text().notNull(), internal, 'hidden'),
    url: column(text(), freeText, 'sql'),
    referrer: column(text(), freeText, 'sql'),
    utm: column(json<Utm>(), freeText, 'sql'),
    addressHash: column(text(), internal, 'hidden'),
    createdAt: stamps.createdAt,
  },
  { entity: 'affiliate_click', audited: false, secret: ['addressHash'] },
)
