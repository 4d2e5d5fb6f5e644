import { DAY, HOUR } from '../platform/clock.ts'
import type { Connection } from '../platform/sqlite.ts'
import type { Filled, Holding } from './rows.ts'
import { type Chance, insert, RARE } from './rows-chance.ts'
import { fillMoneyOut } from './rows-money-out.ts'

/** The numbers of rows of a tenant's daily work. */
export type DeskShape = {
  withdrawals: number
  transfers: number
  openPositions: number
  closedPositions: number
  tickets: number
  leads: number
  submissions: number
  audits: number
}
/** The stream that reported every position of the data set. */
export const STREAM = { platform: 'terminal5', server: 'live-1' } as const

const SYMBOLS = ['EURUSD', 'GBPUSD', 'USDJPY', 'AUDUSD', 'USDCHF', 'XAUUSD', 'BTCUSD', 'US500', 'GER40', 'WTI']
const RARE_SYMBOL = 'XPDUSD'

const SQL = {
  position: insert(
    'positions',
    'tenant_id, id, platform, server, ticket, account_number, account_id, trader_id, symbol, side, volume, open_price, current_price, currency, profit, status, opened_at, closed_at, created_at, updated_at',
  ),
  ticket: insert(
    'tickets',
    'tenant_id, id, trader_id, subject, category, priority, status, assigned_to, first_reply_due_at, resolution_due_at, first_replied_at, breached_at, closed_at, last_message_at, created_at, updated_at',
  ),
  message: insert('ticket_messages', 'tenant_id, id, ticket_id, trader_id, author_kind, author_id, body, created_at'),
  lead: insert(
    'leads',
    'tenant_id, id, email, phone, first_name, last_name, country, status, source, assigned_to, trader_id, converted_at, created_at, updated_at',
  ),
  submission: insert(
    'kyc_submissions',
    'tenant_id, id, trader_id, level, status, rejection_kind, rejection_code, decided_by, decided_at, created_at, updated_at',
  ),
  audit: insert(
    'audit',
    'tenant_id, seq, id, at, actor_kind, actor_id, ip, action, entity, entity_id, trader_id, data_hash, hash',
  ),
  auditData: insert('audit_data', 'tenant_id, seq, salt, before, after'),
}
type Shape = DeskShape & { start: number; span: number }

/**
 * Fills a tenant with the work of its staff: money out, positions, tickets, leads, KYC submissions and audit entries,
 * each in order of time.
 */
export function fillDesk(connection: Connection, chance: Chance, shape: Shape, filled: Filled): void {
  if (shape.withdrawals + shape.transfers > 0) fillMoneyOut(connection, chance, shape, filled)
  connection.raw.run('BEGIN IMMEDIATE')
  fillPositions(connection, chance, shape, filled)
  fillTickets(connection, chance, shape, filled)
  fillLeads(connection, chance, shape, filled)
  fillSubmissions(connection, chance, shape, filled)
  fillAudit(connection, chance, shape, filled)
  connection.raw.run('COMMIT')
}

/** Returns the time of one row among many, which rises with its position. */
const spreadTime = ({ random }: Chance, { start, span }: Shape, position: number, total: number): number =>
  Math.floor(start + (span * (position + random())) / total)

function fillPositions(connection: Connection, chance: Chance, shape: Shape, filled: Filled): void {
  const { random, pick, id } = chance
  const holders = filled.holdings.filter(({ platform }) => platform === STREAM.platform)
  const total = shape.openPositions + shape.closedPositions
  for (let n = 0; n < total; n += 1) {
    const created = spreadTime(chance, shape, n, total)
    const holding: Holding = pick(holders)
    const closedAt = n < shape.closedPositions ? created + 3 * HOUR : null
    const price = (1 + random()).toFixed(5)
    connection.run(SQL.position, [
      filled.tenantId,
      id('pos', created),
      STREAM.platform,
      STREAM.server,
      String(70_000_000 + n),
      holding.number,
      holding.id,
      holding.traderId,
      random() < RARE ? RARE_SYMBOL : pick(SYMBOLS),
      pick(['long', 'short']),
      1_000_000 * (1 + Math.floor(random() * 500)),
      price,
      price,
      holding.currency,
      Math.floor((random() - 0.5) * 100_000),
      closedAt === null ? 'open' : 'closed',
      created,
      closedAt,
      created,
      closedAt ?? created,
    ])
  }
}

function fillTickets(connection: Connection, chance: Chance, shape: Shape, filled: Filled): void {
  const { random, pick, id } = chance
  const { tenantId, userId } = filled
  for (let n = 0; n < shape.tickets; n += 1) {
    const created = spreadTime(chance, shape, n, shape.tickets)
    const recent = n > shape.tickets * 0.97
    const status = recent ? pick(['open', 'pending']) : random() < 0.1 ? 'resolved' : 'closed'
    const traderId = pick(filled.traderIds)
    const ticketId = id('tkt', created)
    const repliedAt = recent && random() < 0.5 ? null : created + HOUR
    connection.run(SQL.ticket, [
      tenantId,
      ticketId,
      traderId,
      `Question ${n} about a payment`,
      pick(['general', 'payments', 'technical']),
      pick(['urgent', 'high', 'normal', 'normal', 'low']),
      status,
      random() < 0.6 ? userId : null,
      created + 4 * HOUR,
      created + 2 * DAY,
      repliedAt,
      random() < 0.05 ? created + 3 * DAY : null,
      status === 'closed' ? created + DAY : null,
      repliedAt ?? created,
      created,
      repliedAt ?? created,
    ])
    const message = [tenantId, id('msg', created), ticketId, traderId, 'trader', traderId]
    connection.run(SQL.message, [...message, 'When will my money arrive? '.repeat(5), created])
  }
}

function fillLeads(connection: Connection, chance: Chance, shape: Shape, filled: Filled): void {
  const { random, pick, id } = chance
  for (let n = 0; n < shape.leads; n += 1) {
    const created = spreadTime(chance, shape, n, shape.leads)
    const lot = random()
    const status = lot < 0.15 ? 'converted' : pick(['new', 'contacted', 'nurture', 'qualified', 'unqualified', 'junk'])
    const converted = status === 'converted'
    connection.run(SQL.lead, [
      filled.tenantId,
      id('led', created),
      `lead${n}@example.com`,
      `+49160${String(10_000_000 + n)}`,
      pick(['Anna', 'Bruno', 'Olga', 'Nils']),
      pick(['Bauer', 'Costa', 'Meyer', 'Rossi']),
      random() < RARE ? 'LU' : pick(['DE', 'FR', 'IT']),
      status,
      pick(['website', 'webinar', 'campaign']),
      random() < 0.4 ? filled.userId : null,
      converted ? pick(filled.traderIds) : null,
      converted ? created + 5 * DAY : null,
      created,
      created,
    ])
  }
}

function fillSubmissions(connection: Connection, chance: Chance, shape: Shape, filled: Filled): void {
  const { random, id } = chance
  for (let n = 0; n < shape.submissions; n += 1) {
    const created = spreadTime(chance, shape, n, shape.submissions)
    // each row has another trader, who may have only one open
    const traderId = filled.traderIds[n % filled.traderIds.length]
    if (traderId === undefined) throw new Error('submissions need traders')
    const lot = random()
    const status = n > shape.submissions * 0.97 ? 'requested' : lot < 0.85 ? 'approved' : 'rejected'
    const refused = status === 'rejected'
    const decided = status !== 'requested'
    connection.run(SQL.submission, [
      filled.tenantId,
      id('kyc', created),
      traderId,
      1 + Math.floor(lot * 3),
      status,
      refused ? 'retry' : null,
      refused ? 'blurred' : null,
      decided ? filled.userId : null,
      decided ? created + DAY : null,
      created,
      decided ? created + DAY : created,
    ])
  }
}

/** Adds entries of usual length; their hashes form no chain, so `GET /v1/audit/verify` reports them as broken. */
function fillAudit(connection: Connection, chance: Chance, shape: Shape, filled: Filled): void {
  const { random, pick, id } = chance
  const { tenantId, userId } = filled
  for (let seq = 1; seq <= shape.audits; seq += 1) {
    const at = spreadTime(chance, shape, seq, shape.audits)
    const traderId = pick(filled.traderIds)
    const action = random() < RARE ? 'trader.delete' : pick(['trader.update', 'trader.create', 'trader.note'])
    connection.run(SQL.audit, [
      tenantId,
      seq,
      id('aud', at),
      at,
      'user',
      userId,
      '127.0.0.1',
      action,
      'trader',
      traderId,
      traderId,
      'x'.repeat(43),
      'x'.repeat(43),
    ])
    connection.run(SQL.auditData, [
      tenantId,
      seq,
      'x'.repeat(22),
      null,
      JSON.stringify({ id: traderId, rest: 'x'.repeat(300) }),
    ])
  }
}
