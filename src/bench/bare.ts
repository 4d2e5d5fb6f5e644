/**
 * The yardstick: bare `Bun.serve` and `bun:sqlite` on the same data, pragmas and SQL as the product's traders, with the
 * same JSON answers. It has no identity, rate limit, validation or audit chain; the audit texts that it writes are
 * computed beforehand. `bun src/bench/bare.ts DIRECTORY TENANT PORT`
 */
import { join } from 'node:path'
import { traders } from '../modules/clients/traders/traders.table.ts'
import { getTableMeta } from '../platform/db/tenant-table.ts'
import { openReader, openWriter } from '../platform/sqlite.ts'

type Row = {
  id: string
  email: string | null
  phone: string | null
  firstName: string | null
  lastName: string | null
  country: string | null
  language: string | null
  dateOfBirth: string | null
  address: string | null
  status: string
  kycLevel: number
  kycStatus: string
  riskLevel: string
  segments: string
  tags: string
  assignedTo: string | null
  affiliateId: string | null
  leadId: string | null
  source: string | null
  metadata: string
  legalHold: number
  heldByManager: number
  mergedInto: string | null
  lastActiveAt: number
  version: number
  createdAt: number
  updatedAt: number
  deletedAt: number | null
}
type Body = { email: string; firstName: string; lastName: string; country: string }

const [directory = '.', tenant = '', port = '0'] = process.argv.slice(2)
const path = join(directory, 'brokerbase.db')
const writer = openWriter(path).raw
const reader = openReader(path).raw

const meta = getTableMeta(traders)
const owned = `SELECT ${meta.selection} FROM traders WHERE traders.tenant_id = ?`
const from = `${owned} AND traders.deleted_at IS NULL`
const order = 'ORDER BY traders.created_at DESC, traders.id DESC LIMIT ?'
const selectOne = reader.prepare<Row, [string, string]>(`${owned} AND id = ?`)
const selectFirst = reader.prepare<Row, [string, number]>(`${from} ${order}`)
const selectAfter = reader.prepare<Row, [string, number, string, number]>(
  `${from} AND (traders.created_at, traders.id) < (?, ?) ${order}`,
)
const selectFound = reader.prepare<Row, [string, string, number]>(
  `${from} AND traders.rid IN (SELECT rowid FROM traders_search WHERE traders_search MATCH ?) ${order}`,
)
const insertTrader = writer.prepare(meta.insertSql)
const insertAudit =
  writer.prepare(`INSERT INTO audit (tenant_id, seq, id, at, actor_kind, actor_id, api_key_id, impersonator_id, ip,
  request_id, action, entity, entity_id, trader_id, data_hash, hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`)
const insertAuditData = writer.prepare(
  'INSERT INTO audit_data (tenant_id, seq, salt, before, after) VALUES (?,?,?,?,?)',
)
const insertEvent = writer.prepare(
  'INSERT INTO events (tenant_id, id, sequence, event, body, trader_id, created_at) VALUES (?,?,?,?,?,?,?)',
)

const toTrader = (row: Row) => ({
  id: row.id,
  email: row.email,
  phone: row.phone,
  firstName: row.firstName,
  lastName: row.lastName,
  country: row.country,
  language: row.language,
  dateOfBirth: row.dateOfBirth,
  address: row.address === null ? null : JSON.parse(row.address),
  status: row.status,
  kycLevel: row.kycLevel,
  kycStatus: row.kycStatus,
  riskLevel: row.riskLevel,
  segments: JSON.parse(row.segments),
  tags: JSON.parse(row.tags),
  assignedTo: row.assignedTo,
  affiliateId: row.affiliateId,
  leadId: row.leadId,
  source: row.source,
  metadata: JSON.parse(row.metadata),
  legalHold: row.legalHold === 1,
  mergedInto: row.mergedInto,
  lastActiveAt: new Date(row.lastActiveAt).toISOString(),
  version: row.version,
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
  deletedAt: row.deletedAt === null ? null : new Date(row.deletedAt).toISOString(),
})

const page = (rows: Row[], limit: number): Response => {
  const more = rows.length > limit
  if (more) rows.pop()
  const last = rows.at(-1)
  return Response.json({ data: rows.map(toTrader), nextCursor: more && last ? `${last.createdAt}.${last.id}` : null })
}

/** Returns the product's search expression: all words as prefixes, within the tenant. */
const buildMatch = (text: string): string =>
  `tenant : "${tenant}" AND text : (${text
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '')
    .map((word) => `"${word}" *`)
    .join(' AND ')})`

const list = (url: string): Response => {
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))
  const limit = Number(query.get('limit') ?? 50)
  const text = query.get('q')
  if (text !== null) return page(selectFound.all(tenant, buildMatch(text), limit + 1), limit)
  const cursor = query.get('cursor')
  if (cursor === null) return page(selectFirst.all(tenant, limit + 1), limit)
  const dot = cursor.indexOf('.')
  return page(selectAfter.all(tenant, Number(cursor.slice(0, dot)), cursor.slice(dot + 1), limit + 1), limit)
}

// These texts are as long as those of the product, but not computed for each row.
const AUDIT_AFTER = JSON.stringify({ id: 'x'.repeat(30), email: 'x'.repeat(27), rest: 'x'.repeat(380) })
const EVENT_BODY = 'x'.repeat(290)
const HASH = 'x'.repeat(43)
const SALT = 'x'.repeat(22)
const OWNER = 'x'.repeat(30)

let made =
  writer.prepare<{ seq: number }, [string]>('SELECT max(seq) AS seq FROM audit WHERE tenant_id = ?').get(tenant)?.seq ??
  0
let queue: { body: Body; resolve: (row: Row) => void; reject: (error: unknown) => void }[] = []

function store(body: Body): Row {
  made += 1
  const now = Date.now()
  const unique = `${now.toString(36)}${String(made).padStart(18, '0')}`
  const row: Row = {
    id: `trd_${unique}`,
    phone: null,
    language: null,
    dateOfBirth: null,
    address: null,
    status: 'active',
    kycLevel: 0,
    kycStatus: 'none',
    riskLevel: 'low',
    segments: '[]',
    tags: '[]',
    assignedTo: null,
    affiliateId: null,
    leadId: null,
    source: null,
    metadata: '{}',
    legalHold: 0,
    heldByManager: 0,
    mergedInto: null,
    lastActiveAt: now,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    ...body,
  }
  const values = new Map<string, string | number | null>(Object.entries(row))
  insertTrader.run(...meta.written.map(({ key }) => (key === 'tenantId' ? tenant : (values.get(key) ?? null))))
  const { id } = row
  const request = `bench-${made}`
  insertAudit.run(
    tenant,
    made,
    `aud_${unique}`,
    now,
    'user',
    OWNER,
    null,
    null,
    '127.0.0.1',
    request,
    'trader.create',
    'trader',
    id,
    id,
    HASH,
    HASH,
  )
  insertAuditData.run(tenant, made, SALT, null, AUDIT_AFTER)
  insertEvent.run(tenant, `evt_${unique}`, made, 'trader.created', EVENT_BODY, id, now)
  return row
}

/** Commits everything that came within one turn of the event loop. */
function drain(): void {
  const group = queue
  queue = []
  try {
    writer.run('BEGIN IMMEDIATE')
    const rows = group.map(({ body }) => store(body))
    writer.run('COMMIT')
    group.forEach((item, index) => {
      const row = rows[index]
      if (row) item.resolve(row)
    })
  } catch (error) {
    if (writer.inTransaction) writer.run('ROLLBACK')
    for (const item of group) item.reject(error)
  }
}

const create = (body: Body): Promise<Row> =>
  new Promise((resolve, reject) => {
    queue.push({ body, resolve, reject })
    if (queue.length === 1) setImmediate(drain)
  })

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  routes: {
    '/v1/traders/:id': {
      GET: (request) => {
        const row = selectOne.get(tenant, request.params.id)
        return row ? Response.json(toTrader(row)) : new Response(null, { status: 404 })
      },
    },
    '/v1/traders': {
      GET: (request) => list(request.url),
      POST: async (request) => {
        const body: Body = await request.json()
        return Response.json(toTrader(await create(body)), { status: 201 })
      },
    },
  },
  fetch: () => new Response(null, { status: 404 }),
})
process.stdout.write(`listening on ${server.port}\n`)
