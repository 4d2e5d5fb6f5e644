import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import type { TenantTable } from '../platform/db/tenant-table.ts'
import { buildWhere, type List } from '../platform/http/lists/page.ts'
import { createTestApp, type Firm, type TestApp } from '../testing/app.ts'
import { getProperties, withKeys } from './routes.ts'
import { everyRoute } from './seeded-app.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const asked = everyRoute().filter(({ method, query }) => method === 'GET' && 'q' in getProperties(query))

test('more than 25 lists and files take a search', () => expect(asked.length).toBeGreaterThan(25))

test.each(withKeys(asked))('%s refuses an empty or blank search text', async (_, { path }) => {
  for (const q of ['', '%20', '%09%20', '%C2%A0']) {
    const { status, body } = await app.call('GET', `${path}?q=${q}`, { as: firm.as.owner })
    expect([q, status, body?.errors?.[0]?.path]).toEqual([q, 422, 'query.q'])
  }
})

const isList = (value: unknown): value is List<TenantTable, TSchema> =>
  typeof value === 'object' && value !== null && 'filters' in value && 'table' in value && 'defaultSort' in value

test('blanks around a search text make no difference', async () => {
  const lists: List<TenantTable, TSchema>[] = []
  for await (const path of new Bun.Glob('src/modules/**/*.model.ts').scan(join(import.meta.dir, '../..'))) {
    const module: Record<string, unknown> = await import(join(import.meta.dir, '../..', path))
    for (const value of Object.values(module)) if (isList(value) && value.filters.q !== undefined) lists.push(value)
  }
  expect(lists.length).toBeGreaterThan(12)
  const scope = { tenantId: firm.tenantId, traderId: null, readsClients: true }
  for (const list of lists)
    expect([list.name, buildWhere(list, { q: ' \tAb-1% \n' }, scope)]).toEqual([
      list.name,
      buildWhere(list, { q: 'Ab-1%' }, scope),
    ])
})
