import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { COLLISIONS, MOVES, STAYS } from '../modules/overview/merges/merges.plan.ts'
import { getColumnName } from '../platform/db/statement.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'

let app: TestApp
beforeAll(() => {
  app = createTestApp()
})
afterAll(() => app.close())

/** Returns the columns of the schema that hold the id of a client, by table. */
function namingTraders(): [table: string, column: string][] {
  const rows = app.platform.reader.all<{ table: string; column: string }>(
    `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m JOIN pragma_table_info(m.name) c
     WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND (c.name = 'trader_id' OR c.name LIKE '%\\_trader\\_id' ESCAPE '\\')`,
  )
  return rows.map(({ table, column }) => [table, column])
}
/**
 * These two columns are left out. The link of a mail is void after the merge; the merge writes the other column itself.
 */
const APART = ['mails.link_trader_id', 'accounts.first_trader_id']

describe('merging two clients', () => {
  test('every table that names a client moves to the remaining client, or has a reason not to', () => {
    const found = namingTraders()
    expect(found.length).toBeGreaterThan(25)
    const moved = new Set(
      Object.entries(MOVES).flatMap(([table, moves]) => moves.map(({ column }) => `${table}.${getColumnName(column)}`)),
    )
    const left = found.filter(
      ([table, column]) =>
        !moved.has(`${table}.${column}`) && !(table in STAYS) && !APART.includes(`${table}.${column}`),
    )
    expect(left).toEqual([])
    const names = new Set(found.map(([table, column]) => `${table}.${column}`))
    expect([...moved].filter((name) => !names.has(name))).toEqual([])
    expect(Object.keys(MOVES).filter((table) => table in STAYS)).toEqual([])
    expect(Object.keys(STAYS).filter((table) => !found.some(([name]) => name === table))).toEqual([])
  })

  test('every unique index that a moved row could violate has its rule', () => {
    const indexes = app.platform.reader.all<{ table: string; index: string }>(
      `SELECT m.name AS "table", i.name AS "index" FROM sqlite_schema m JOIN pragma_index_list(m.name) i
       WHERE m.type = 'table' AND i."unique" AND EXISTS (SELECT 1 FROM pragma_index_info(i.name) c WHERE c.name LIKE '%trader_id')`,
    )
    expect(indexes.length).toBeGreaterThan(5)
    const risky = indexes.filter(({ table }) => table in MOVES).map(({ index }) => index)
    expect(risky.toSorted()).toEqual(Object.keys(COLLISIONS).toSorted())
  })

  test('every statement of a merge finds its rows by the client that they name', () => {
    const slow = Object.values(MOVES)
      .flat()
      .filter(({ sql }) =>
        app.platform.connection
          .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ['t', 'a', 'b', ...(sql.includes('?4') ? [1] : [])])
          .every(({ detail }) => !detail.includes('trader_id=?')),
      )
    expect(slow.map(({ sql }) => sql)).toEqual([])
  })
})
