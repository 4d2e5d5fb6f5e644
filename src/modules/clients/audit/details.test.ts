import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MOST_CHARACTERS } from '../../../platform/http/lists/page.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { pickMostCounted } from './audit.queries.ts'

/** The largest metadata that a client may have; each change stores it twice, before and after. */
const fat = (n: number) => ({ n, list: Array.from({ length: 5300 }, () => []) })
const CHANGES = 60

let app: TestApp
let firm: Firm
let trader: string
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  const made = await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email: 'fat@x.test' } })
  trader = made.body.id
  for (let n = 0; n < CHANGES; n++) {
    const body = { metadata: fat(n) }
    expect((await app.call('PATCH', `/v1/traders/${trader}`, { as: firm.as.operator, body })).status).toBe(200)
  }
})
afterAll(() => app.close())

type Entry = { seq?: number; id: string; after: { metadata?: { n: number } } | null }

/** Reads a list page by page; returns all entries, and the length of each page's text. */
async function readPages(path: string): Promise<{ entries: Entry[]; sizes: number[] }> {
  const entries: Entry[] = []
  const sizes: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await app.call('GET', `${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, {
      as: firm.as.manager,
    })
    expect(answer.status).toBe(200)
    entries.push(...answer.body.data)
    sizes.push(answer.text.length)
    cursor = answer.body.nextCursor
  }
  return { entries, sizes }
}

test.each(['timeline', 'audit'])(
  'a page of the %s ends early if its entries are large, and no entry is left out',
  async (which) => {
    const path =
      which === 'audit' ? '/v1/audit?limit=200&action=trader.update' : `/v1/traders/${trader}/timeline?limit=200`
    const { entries, sizes } = await readPages(path)
    expect(sizes.length).toBeGreaterThan(3)
    expect(Math.max(...sizes)).toBeLessThan(MOST_CHARACTERS * 1.1)
    const changes = entries.flatMap(({ after }) => after?.metadata?.n ?? [])
    expect(changes).toEqual(Array.from({ length: CHANGES }, (_, index) => CHANGES - 1 - index))
  },
)

test('a facet names the firm’s people first, then the most frequent actors, up to a limit', () => {
  const counts = new Map(Array.from({ length: 5000 }, (_, n) => [`trd_${n}`, n % 1000]))
  counts.set('usr_1', 1)
  const found = pickMostCounted(counts, new Map([['usr_1', 'Ada']]), 11)
  expect(found).toHaveLength(11)
  expect(found[0]).toEqual(['usr_1', 1])
  expect(found.slice(1).map(([, count]) => count)).toEqual([999, 999, 999, 999, 999, 998, 998, 998, 998, 998])
  expect(pickMostCounted(counts, new Map(), 6000)).toHaveLength(5001)
})

test('the export of the audit is sent in pieces of limited size, with the clear text as it is stored', async () => {
  const response = await app.handle('/v1/audit/export.csv?action=trader.update', firm.as.manager)
  const pieces: string[] = []
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) pieces.push(decoder.decode(piece))
  expect(pieces.length).toBeGreaterThan(3)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(MOST_CHARACTERS * 1.3)
  const lines = pieces.join('').trim().split('\n')
  expect(lines).toHaveLength(CHANGES + 1)
  expect(lines[1]).toContain(
    JSON.stringify({ metadata: fat(CHANGES - 1) })
      .replaceAll('"', '""')
      .slice(0, 200),
  )
})
