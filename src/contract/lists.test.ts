import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { leadList } from '../modules/growth/leads/leads.model.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import { createReader } from '../platform/db/reader.ts'
import { STATISTICS } from '../platform/db/statistics.ts'
import { getTableMeta, type TenantTable } from '../platform/db/tenant-table.ts'
import { readAll } from '../platform/http/lists/list-file.ts'
import { buildOrder, buildWhere, type List, planOrder } from '../platform/http/lists/page.ts'
import type { SqlValue } from '../platform/sqlite.ts'
import { DATE_OR_TIME } from '../platform/wire/formats.ts'
import { createTestApp, type Firm, type TestApp } from '../testing/app.ts'
import { collectRoutes, getProperties, listAlternatives, withKeys } from './routes.ts'

type Listing = { data: { id: string; lastLoginAt: string | null }[]; nextCursor: string | null }
type Money = { amount: string; currency: string; apart?: string }
type Listed = List<TenantTable, TSchema> & { money?: Money }

let app: TestApp
let firm: Firm
let lists: Listed[]
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  lists = []
  for await (const path of new Bun.Glob('src/modules/**/*.model.ts').scan(join(import.meta.dir, '../..'))) {
    const module: Record<string, unknown> = await import(join(import.meta.dir, '../..', path))
    for (const value of Object.values(module)) if (isList(value)) lists.push(value)
  }
})
afterAll(() => app.close())

function isList(value: unknown): value is Listed {
  return typeof value === 'object' && value !== null && 'sorts' in value && 'table' in value && 'defaultSort' in value
}

/** These tables are logs of what was sent; they are kept for days and read by the time of sending. */
const LOGS: ReadonlySet<string> = new Set(['webhook_deliveries', 'mails'])

test('every list whose rows change can be sorted by the time of the last change, from an index', () => {
  const faults: string[] = []
  for (const { name, table, sorts } of lists) {
    const meta = getTableMeta(table)
    if (!meta.has.updatedAt) {
      const hasStates = meta.columns.some(({ key }) => key === 'status' || key === 'state')
      if (hasStates && !LOGS.has(name)) faults.push(`${name} has states and no updatedAt`)
      continue
    }
    if (sorts.updatedAt !== 'updatedAt') faults.push(`${name} is not sorted by updatedAt`)
    const plan = app.platform.connection
      .all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT * FROM ${meta.name} WHERE tenant_id = ? AND updated_at >= ? ORDER BY updated_at, id LIMIT 51`,
        ['t', 0],
      )
      .map(({ detail }) => detail)
      .join('; ')
    if (!plan.includes('(tenant_id=? AND updated_at>?)') || plan.includes('TEMP B-TREE'))
      faults.push(`${name} has no index (tenant_id, updated_at, id): ${plan}`)
  }
  expect(faults).toEqual([])
  expect(lists.length).toBeGreaterThan(15)
})

test('every list of money has an index by currency and amount', () => {
  const ofMoney = lists.flatMap(({ name, table, money }) => (money ? [{ name, meta: getTableMeta(table), money }] : []))
  expect(ofMoney.length).toBeGreaterThan(4)
  const plans = ofMoney.flatMap(({ name, meta, money }) => {
    const getColumnSql = (key: string): string => meta.columns.find((column) => column.key === key)?.sql ?? ''
    const [amount, currency] = [getColumnSql(money.amount), getColumnSql(money.currency)]
    const { words = [], sql: apart = '' } = meta.byKey.get(money.apart ?? '') ?? {}
    const parts = money.apart === undefined ? [''] : words.map((word) => ` AND ${apart} = '${word}'`)
    return parts.map((part) => {
      const plan = app.platform.connection.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT id FROM ${meta.name} WHERE tenant_id = ? AND ${currency} = ? AND ${amount} >= ?${part}
          ORDER BY ${amount}, id LIMIT 51`,
        ['t', 'EUR', 0],
      )
      const isInOrder = plan.length === 1 && plan[0]?.detail.includes(`(tenant_id=? AND ${currency}=? AND ${amount}>?)`)
      // what changes all the time is sorted from an index that contains all of it
      const isServed = isInOrder || (part !== '' && plan[0]?.detail.includes('COVERING INDEX'))
      return isServed ? '' : `${name}${part}: ${plan.map(({ detail }) => detail).join('; ')}`
    })
  })
  expect(plans.filter((fault) => fault !== '')).toEqual([])
})

test('a large list is read from an index in every order that it offers', () => {
  const faults = lists.flatMap((list) => {
    const meta = getTableMeta(list.table)
    if (!Object.hasOwn(STATISTICS, meta.name)) return []
    return Object.keys(list.sorts).flatMap((sort) => {
      // how its parts are merged is in partial-indexes.test.ts
      if (sort === 'amount' && list.money?.apart !== undefined) return []
      const query = sort === 'amount' ? { sort, currency: 'EUR' } : { sort }
      const where = buildWhere(list, query, { tenantId: 't', traderId: null, affiliateId: null, readsClients: true })
      const order = buildOrder(list, query)
      const live = meta.softDelete ? ` AND ${meta.name}.deleted_at IS NULL` : ''
      const plan = app.platform.connection
        .all<{ detail: string }>(
          `EXPLAIN QUERY PLAN SELECT * FROM ${meta.name} WHERE ${meta.name}.tenant_id = ?${where.sql}${live}
            ORDER BY ${order.sql} DESC, ${meta.name}.id DESC LIMIT 51`,
          ['t', ...where.params],
        )
        .map(({ detail }) => detail)
        .join('; ')
      return plan.includes('TEMP B-TREE') ? [`${list.name} by ${sort}: ${plan}`] : []
    })
  })
  expect(faults).toEqual([])
})

test('if a filter passes few rows of a large list, SQLite finds them by the filter and sorts them', () => {
  const reader = createReader(app.platform.reader, { tenantId: firm.tenantId, traderId: null })
  const faults = lists.flatMap((list) => {
    const meta = getTableMeta(list.table)
    if (!Object.hasOwn(STATISTICS, meta.name) || meta.name === 'audit') return []
    const narrowings = ['status', 'symbol', 'platform', 'traderId', 'from'].filter(
      (name) => name === 'from' || list.filters[name],
    )
    return Object.keys(list.sorts).flatMap((sort) =>
      narrowings.flatMap((name) => {
        if (sort === 'createdAt') return []
        const schema = list.filters[name]?.schema
        const value = schema ? valueFor(name, schema) : '2026-01-01'
        const query = { sort, [name]: value, ...(sort === 'amount' && { currency: 'EUR' }) }
        const where = buildWhere(list, query, reader.scope)
        const { place } = planOrder(reader, list, query, where, buildOrder(list, query))
        const plan = app.platform.connection
          .all<{ detail: string }>(
            `EXPLAIN QUERY PLAN SELECT * FROM ${meta.name} WHERE ${meta.name}.tenant_id = ?${where.sql}
              ORDER BY ${place} DESC, ${meta.name}.id DESC LIMIT 51`,
            [firm.tenantId, ...where.params],
          )
          .map(({ detail }) => detail)
          .join('; ')
        return /TEMP B-TREE|trader_id=/.test(plan) ? [] : [`${list.name} by ${sort} with ${name}: ${plan}`]
      }),
    )
  })
  expect(faults).toEqual([])
})

test('a list sorted by a column shows rows without a value in it too, in both directions', async () => {
  const users = async (query: string) =>
    (await app.call('GET', `/v1/users?${query}`, { as: firm.as.owner })).body as Listing
  const { data } = await users('limit=200')
  expect(data.some(({ lastLoginAt }) => lastLoginAt === null)).toBe(true)
  for (const sort of ['lastLoginAt', '-lastLoginAt']) {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await users(`sort=${sort}&limit=1${cursor}`)
      seen.push(...page.data.map(({ id }) => id))
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(seen.toSorted()).toEqual(data.map(({ id }) => id).toSorted())
  }
})

describe('what SQLite plans by', () => {
  const all = <R>(sql: string, params: SqlValue[] = []): R[] => app.platform.connection.all<R>(sql, params)

  test('the planner’s statistics list every index of each table with all its columns', () => {
    const said = all<{ tbl: string; idx: string; stat: string }>('SELECT tbl, idx, stat FROM sqlite_stat1')
    const known = Object.entries(STATISTICS)
    expect(said).toHaveLength(known.flatMap(([, indices]) => Object.keys(indices)).length)
    for (const [table, indices] of known) {
      const listed = all<{ name: string }>(`PRAGMA index_list(${table})`).map(({ name }) => name)
      // a table without row numbers is its own index, under its own name
      const names = listed.map((name) => (indices[table] && name.startsWith('sqlite_autoindex') ? table : name))
      expect([table, Object.keys(indices).toSorted()]).toEqual([table, names.toSorted()])
      for (const [name, stat] of Object.entries(indices)) {
        const at = listed.includes(name) ? name : `sqlite_autoindex_${table}_1`
        const columns = all<{ key: number }>(`PRAGMA index_xinfo(${at})`).filter(({ key }) => key === 1)
        expect([name, stat.split(' ').length]).toEqual([name, columns.length + 1])
      }
    }
  })

  test('every search of a large list uses indices, whatever other filter it has', () => {
    const scope = { tenantId: firm.tenantId, traderId: null, affiliateId: null, readsClients: true }
    const searched = lists.filter(
      ({ filters, table }) => filters.q && Object.hasOwn(STATISTICS, getTableMeta(table).name),
    )
    expect(searched.length).toBeGreaterThan(10)
    const faults = searched.flatMap((list) => {
      const { name } = getTableMeta(list.table)
      const queries = [{ q: 'zzzz' }, ...(list.filters.status ? [{ q: 'zzzz', status: 'pending' }] : [])]
      return queries.flatMap((query) => {
        const where = buildWhere(list, query, scope)
        const order = buildOrder(list, query)
        const steps = all<{ detail: string }>(
          `EXPLAIN QUERY PLAN SELECT * FROM ${name} WHERE ${name}.tenant_id = ?${where.sql} ORDER BY ${order.sql} DESC LIMIT 51`,
          [firm.tenantId, ...where.params],
        )
        const walks = new RegExp(`^(SCAN ${name}\\b|SEARCH ${name} .*\\(tenant_id=\\?\\)$)`)
        return steps.flatMap(({ detail }) => (walks.test(detail) ? [`${name} ${Object.keys(query)}: ${detail}`] : []))
      })
    })
    expect(faults).toEqual([])
  })
})

test('a program that follows a list by the last change finds a row again once it changed, page by page', async () => {
  const as = firm.as.operator
  const make = async (name: string): Promise<string> =>
    (await app.call('POST', '/v1/traders', { as, body: { email: `${name}@x.test`, firstName: name } })).body.id
  const [first, second, third] = [await make('a'), await make('b'), await make('c')]
  app.clock.advance(60_000)
  const since = new Date(app.clock.now()).toISOString()
  await app.call('PATCH', `/v1/traders/${second}`, { as, body: { firstName: 'Changed' } })
  app.clock.advance(1000)
  await app.call('PATCH', `/v1/traders/${first}`, { as, body: { firstName: 'Changed' } })
  const read = async (query: string) => (await app.call('GET', `/v1/traders?${query}`, { as })).body
  const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
  expect(ids(await read(`sort=updatedAt&updatedFrom=${since}`))).toEqual([second, first])
  expect(ids(await read('sort=-updatedAt'))).toEqual([first, second, third])
  expect(ids(await read(`sort=updatedAt&updatedTo=${since}`))).toEqual([third])
  const page = await read(`sort=updatedAt&updatedFrom=${since}&limit=1`)
  expect(ids(await read(`sort=updatedAt&updatedFrom=${since}&limit=1&cursor=${page.nextCursor}`))).toEqual([first])
  const csv = await app.call('GET', `/v1/deposits/export.csv?sort=updatedAt&updatedFrom=${since}`, {
    as: firm.as.manager,
  })
  expect(csv.status).toBe(200)
  for (const [query, path] of [
    ['updatedFrom=yesterday', 'query.updatedFrom'],
    ['updatedTo=yesterday', 'query.updatedTo'],
  ] as const) {
    const answer = await app.call('GET', `/v1/traders?${query}`, { as })
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
  }
})

/** Returns a value that the schema of a query parameter accepts, as text for an address. */
function valueFor(name: string, schema: TSchema): string {
  const [first = schema] = listAlternatives(schema)
  const words: unknown[] = Array.isArray(first.enum) ? first.enum : []
  const example: unknown = 'pattern' in first && Array.isArray(first.examples) ? first.examples[0] : undefined
  const word: unknown = first.const ?? words[0] ?? first.default ?? example
  if (word !== undefined) return String(word)
  if (first.type === 'boolean') return 'true'
  if (first.type === 'integer' || first.type === 'number') return String(first.minimum ?? 1)
  if ('x-integer' in first) return String(first['x-integer'].minimum)
  if (first.format === 'date-time' || first.format === DATE_OR_TIME) return '2026-03-01T00:00:00Z'
  if (first.format === 'date') return '2026-03-01'
  return /Amount|amount/.test(name) ? '10.00' : (VALUES[name] ?? 'x'.repeat(Number(first.minLength ?? 1)))
}
/** Maps an operation to parameters that are only valid together. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = { '/v1/approval-policies': ['amount', 'currency'] }
/** Maps a parameter to another one that it needs. */
const BESIDE: Readonly<Record<string, string>> = { amountFrom: 'currency', amountTo: 'currency' }
/** Maps parameters with a special form to a value. */
const VALUES: Readonly<Record<string, string>> = {
  currency: 'USD',
  base: 'USD',
  quote: 'USD',
  country: 'DE',
  types: 'deposit.settled',
}

describe('every parameter of every list answers when it is asked for alone', () => {
  const probe = createTestApp()
  const asked = collectRoutes(probe).filter(
    ({ method, query, params, role }) =>
      // a public operation is no list
      method === 'GET' && role !== 'public' && params.length === 0 && Object.keys(getProperties(query)).length > 0,
  )
  void probe.close()

  test.each(withKeys(asked))('%s answers for each of its parameters alone', async (_, route) => {
    const faults: string[] = []
    const all = Object.entries(getProperties(route.query))
    const needed = new Set<string>(Array.isArray(route.query?.required) ? route.query.required : [])
    for (const [name] of all) {
      if (name === 'cursor' || name === 'anchor') continue
      const names = all.filter(
        ([other]) =>
          other === name || other === BESIDE[name] || needed.has(other) || TOGETHER[route.path]?.includes(other),
      )
      const query = new URLSearchParams(names.map(([key, wanted]) => [key, valueFor(key, wanted)]))
      const { status, text } = await app.call('GET', `${route.path}?${query}`, { as: firm.as.owner })
      if (status !== 200) faults.push(`${query}: ${status} ${text.slice(0, 200)}`)
    }
    expect(faults).toEqual([])
  })
})

test('a page of rows with much free text ends early, and no row is left out', async () => {
  const metadata = { text: 'x'.repeat(16_000) }
  for (let n = 0; n < 70; n += 1)
    await app.call('POST', '/v1/leads', { as: firm.as.operator, body: { email: `fat${n}@x.test`, metadata } })
  const sizes: number[] = []
  const seen = new Set<string>()
  let cursor = ''
  do {
    const { body } = await app.call('GET', `/v1/leads?limit=200${cursor}`, { as: firm.as.viewer })
    sizes.push(body.data.length)
    for (const { id } of body.data) seen.add(id)
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
  } while (cursor !== '')
  expect(sizes).toEqual([32, 32, 6])
  expect(seen.size).toBe(70)
  // an export has the same rows
  const { db } = systemCtx(app.platform, firm.tenantId, 'test')
  const batches = [...readAll(db, leadList, {})]
  expect(batches.map(({ length }) => length)).toEqual([32, 32, 6])
  expect(new Set(batches.flat().map(({ id }) => id))).toEqual(seen)
})
