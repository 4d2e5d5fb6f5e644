import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findAffiliateId } from '../../../platform/access/principal.ts'
import { DAY, toIso } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineList, type PageOf, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid, notFound } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import {
  type Affiliate,
  type AffiliateListed,
  type AffiliateWithStats,
  affiliateList,
  type Bearer,
  type ClientOut,
  longName,
  shortName,
  type TreeOut,
  toAffiliate,
} from './affiliates.model.ts'
import { EMPTY_PAGE, hasNoOwn, isMasked, seesNobody } from './affiliates.reader.ts'
import {
  type AffiliateRow,
  type AffiliateStatus,
  affiliates,
  affiliateAncestors as ancestors,
  affiliateClicks as clicks,
} from './affiliates.table.ts'
import { affiliateBalances, type BalanceRow } from './balances.table.ts'

const MOST_NODES = 2000

const BEARERS = statement(
  sql`SELECT ${listed({ id: traders.id, firstName: traders.firstName, lastName: traders.lastName })} FROM ${traders}
  WHERE ${traders.tenantId} = ?1 AND ${traders.id} IN (SELECT value FROM json_each(?2))`,
)
const TREE = statement(
  sql`SELECT ${listed({
    id: affiliates.id,
    parentId: affiliates.parentId,
    code: affiliates.code,
    status: affiliates.status,
    depth: ancestors.depth,
    firstName: traders.firstName,
    lastName: traders.lastName,
  })}, (SELECT count(*) FROM ${traders} c WHERE c.tenant_id = ?1 AND c.affiliate_id = ${affiliates.id}
    AND c.deleted_at IS NULL) AS clients
  FROM ${ancestors} JOIN ${affiliates} ON ${affiliates.tenantId} = ?1 AND ${affiliates.id} = ${ancestors.affiliateId}
  LEFT JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${affiliates.traderId}
  WHERE ${ancestors.tenantId} = ?1 AND ${ancestors.ancestorId} = ?2
  ORDER BY ${ancestors.depth}, ${affiliates.createdAt}, ${affiliates.id} LIMIT ?3`,
)
const OWN_CLIENTS = sql`(SELECT count(*) FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.affiliateId} = ?2
  AND ${traders.deletedAt} IS NULL)`
const STATS = statement(
  sql`SELECT ${OWN_CLIENTS} AS clients,
    (SELECT count(*) - 1 FROM ${ancestors} WHERE ${ancestors.tenantId} = ?1 AND ${ancestors.ancestorId} = ?2) AS below,
    (SELECT count(*) FROM ${ancestors} JOIN ${traders} ON ${traders.tenantId} = ?1
      AND ${traders.affiliateId} = ${ancestors.affiliateId} AND ${traders.deletedAt} IS NULL
      WHERE ${ancestors.tenantId} = ?1 AND ${ancestors.ancestorId} = ?2 AND ${ancestors.depth} > 0) AS clientsBelow,
    (SELECT count(*) FROM ${clicks} WHERE ${clicks.tenantId} = ?1 AND ${clicks.affiliateId} = ?2
      AND ${clicks.createdAt} > ?3) AS clicks`,
)
const DEPOSITED = statement(
  sql`SELECT value AS id FROM json_each(?2) WHERE EXISTS (SELECT 1 FROM ${deposits}
    WHERE ${deposits.tenantId} = ?1 AND ${deposits.traderId} = value AND ${deposits.settledAt} IS NOT NULL)`,
)
const CLIENTS = statement(
  sql`SELECT value AS id, (SELECT count(*) FROM ${traders} WHERE ${traders.tenantId} = ?1
    AND ${traders.affiliateId} = value AND ${traders.deletedAt} IS NULL) AS clients FROM json_each(?2)`,
)
/** Counts the clients whom each of these affiliates brought. */
export const countClients = (ctx: Ctx, ids: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    ctx.unowned
      .query<{ id: string; clients: number }>(CLIENTS, [JSON.stringify(ids)])
      .map((row) => [row.id, row.clients]),
  )

/** Returns the clients who are these affiliates; none for a key that may not read clients; shortened for a broker. */
function findBearers(ctx: Ctx, rows: readonly AffiliateRow[]): Map<string, Bearer> {
  if (seesNobody(ctx) && !isMasked(ctx)) return new Map()
  const ids = JSON.stringify(rows.map(({ traderId }) => traderId))
  return new Map(ctx.unowned.query<NonNullable<Bearer> & { id: string }>(BEARERS, [ids]).map((row) => [row.id, row]))
}

function shownTo(ctx: Ctx, row: AffiliateRow, bearer: Bearer): Affiliate {
  const own = findAffiliateId(ctx.principal) === row.id
  const shown = toAffiliate(row, bearer, { own, masked: isMasked(ctx) })
  // an introducing broker does not see which affiliate is above
  return own ? { ...shown, parentId: null } : shown
}

/** Filters by fields that an introducing broker does not see, or sees only shortened. */
const HIDDEN = ['q', 'planId', 'traderId', 'parentId'] as const

/** Lists affiliates of the firm, or of the caller's own branch. */
export function listAffiliates(ctx: Ctx, query: Query & { self?: string | undefined }): PageOf<AffiliateListed> {
  const { self, ...rest } = query
  if (hasNoOwn(ctx, self)) return EMPTY_PAGE
  // an introducing broker must not find out hidden fields of lower affiliates by searching for them
  const hidden = isMasked(ctx) ? HIDDEN.find((field) => rest[field] !== undefined) : undefined
  if (hidden) throw invalid(`query.${hidden}`, 'not_allowed', say('affiliates.field.staff_only'))
  const page = readPage(ctx, affiliateList, rest, (row) => row)
  const bearers = findBearers(ctx, page.data)
  const ids = page.data.map(({ id }) => id)
  const clients = countClients(ctx, ids)
  const seen = ids.filter((id) => seesBalances(ctx, id))
  const balances = ctx.db.list(affiliateBalances, { affiliateId: seen }, { orderBy: 'currency' })
  return {
    ...page,
    data: page.data.map((row) => ({
      ...shownTo(ctx, row, bearers.get(row.traderId)),
      clients: clients.get(row.id) ?? 0,
      balances: seen.includes(row.id)
        ? balances.filter(({ affiliateId }) => affiliateId === row.id).map(toBalance)
        : null,
    })),
  }
}

/** Returns whether the caller sees an affiliate's balances: staff and its own client do. */
const seesBalances = (ctx: Ctx, id: string): boolean => !isMasked(ctx) || findAffiliateId(ctx.principal) === id

const toBalance = ({ currency, earned, asked, paid }: BalanceRow) => ({
  currency,
  earned: formatAmount(earned, currency),
  asked: formatAmount(asked, currency),
  paid: formatAmount(paid, currency),
  available: formatAmount(earned - asked - paid, currency),
})

type Stats = Static<typeof AffiliateWithStats>['stats']

/** Answers one affiliate with its figures; only staff and its own client see balances. */
export function readAffiliate(ctx: Ctx, id: string): Static<typeof AffiliateWithStats> {
  const row = ctx.db.get(affiliates, id)
  const shown = shownTo(ctx, row, findBearers(ctx, [row]).get(row.traderId))
  const [counts] = ctx.unowned.query<Omit<Stats, 'balances'>>(STATS, [id, ctx.now() - 30 * DAY])
  const balances = seesBalances(ctx, id)
    ? ctx.db.list(affiliateBalances, { affiliateId: id }, { orderBy: 'currency' })
    : []
  return {
    ...shown,
    stats: {
      clients: 0,
      below: 0,
      clientsBelow: 0,
      clicks: 0,
      ...counts,
      balances: balances.map(toBalance),
    },
  }
}

type Node = {
  id: string
  parentId: string | null
  code: string
  status: AffiliateStatus
  depth: number
  firstName: string | null
  lastName: string | null
  clients: number
}

/** Answers an affiliate and all below it, from the top down. */
export function readTree(ctx: Ctx, id: string): Static<typeof TreeOut> {
  ctx.db.get(affiliates, id)
  const nodes = ctx.unowned.query<Node>(TREE, [id, MOST_NODES + 1])
  const own = findAffiliateId(ctx.principal)
  const formatName = ({ id: of, firstName, lastName }: Node): string | null => {
    if (isMasked(ctx)) return of === own ? longName(firstName, lastName) : shortName(firstName, lastName)
    return seesNobody(ctx) ? null : longName(firstName, lastName)
  }
  return {
    data: nodes.slice(0, MOST_NODES).map((node) => {
      const { firstName, lastName, ...shown } = node
      return { ...shown, parentId: node.depth === 0 ? null : node.parentId, name: formatName(node) }
    }),
    truncated: nodes.length > MOST_NODES,
  }
}

export const clientList = defineList({ name: 'affiliate-clients', table: traders, filters: {} })

/** Masks an address: `j•••@g•••.com` */
function maskedEmail(email: string | null): string | null {
  if (email === null) return null
  const [local = '', domain = ''] = email.split('@')
  const dot = domain.lastIndexOf('.')
  return `${[...local][0] ?? ''}•••@${[...domain][0] ?? ''}•••${dot > 0 ? domain.slice(dot) : ''}`
}
const maskedPhone = (phone: string | null): string | null => (phone === null ? null : `•••${phone.slice(-2)}`)

/** Lists an affiliate's clients. An introducing broker sees, masked, only those of their own code. */
export function listClients(ctx: Ctx, id: string, query: Query): PageOf<Static<typeof ClientOut>> {
  ctx.db.get(affiliates, id)
  // of lower levels an introducing broker sees only counts
  if (isMasked(ctx) && findAffiliateId(ctx.principal) !== id) throw notFound()
  const whole = { db: isMasked(ctx) ? ctx.unowned : ctx.db, secrets: ctx.secrets }
  const page = readPage(whole, clientList, query, (row) => row, { affiliateId: id })
  const ids = JSON.stringify(page.data.map((row) => row.id))
  const deposited = new Set(ctx.unowned.query<{ id: string }>(DEPOSITED, [ids]).map((row) => row.id))
  return { ...page, data: page.data.map((row) => toClient(row, deposited.has(row.id), seesNobody(ctx))) }
}

const initial = (name: string | null): string | null => (name ? `${[...name][0] ?? ''}.` : null)

const toClient = (row: TraderRow, deposited: boolean, masked: boolean): Static<typeof ClientOut> => ({
  id: row.id,
  firstName: masked ? initial(row.firstName) : row.firstName,
  lastName: masked ? initial(row.lastName) : row.lastName,
  email: masked ? maskedEmail(row.email) : row.email,
  phone: masked ? maskedPhone(row.phone) : row.phone,
  country: masked ? null : row.country,
  kycApproved: row.kycStatus === 'approved',
  deposited,
  createdAt: toIso(row.createdAt),
})
