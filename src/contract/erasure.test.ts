import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eraseStatement, getFates } from '../platform/db/erasure.ts'
import { tablesAboutPeople } from '../platform/db/tenant-table.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { tableAt } from './places.ts'

let app: TestApp
beforeAll(() => {
  app = createTestApp()
})
afterAll(() => app.close())

/** Lists the tables that name a trader and that only SQL reaches, with what an erasure does with them. */
const BY_SQL: Readonly<Record<string, string>> = {
  events: 'payloads are emptied by the purge',
  sanctions_due: 'a mark of the screening, without a word',
  trader_labels: 'kept by triggers from the trader’s segments and tags, and emptied with them',
  file_usage: 'numbers and bytes of files, without a word',
}

describe('erasing a person', () => {
  test('every table that names a trader declares what an erasure does with each column', () => {
    const declared = new Map(tablesAboutPeople().map((table) => [table.name, table]))
    const tables = app.platform.reader
      .all<{ name: string }>(
        `SELECT m.name FROM sqlite_schema m WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'
         AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'trader_id')`,
      )
      .map(({ name }) => name)
    expect(tables.length).toBeGreaterThan(15)
    const forgotten = tables.filter((name) => !declared.has(name) && !(name in BY_SQL))
    expect(forgotten.map((name) => `${tableAt(name)}: say as \`person\` what erasing does with ${name}`)).toEqual([])
  })

  test('text and JSON of a table that names a trader are classified, and each reason to keep one is a known reason', () => {
    const faults: string[] = []
    for (const table of tablesAboutPeople()) {
      const { person, columns, name } = table
      const fates = getFates(person)
      for (const [key, fate] of Object.entries(fates)) {
        if (!columns.some((column) => column.key === key)) faults.push(`${tableAt(name)}: ${name}.${key} is no column`)
        if (fate.goes === null && fate.why.split(' ').length < 3)
          faults.push(`${tableAt(name)}: ${name}.${key} is kept for “${fate.why}”, which is no reason`)
      }
    }
    expect(faults).toEqual([])
  })

  test('every statement of an erasure is valid SQLite and uses an index', () => {
    const slow: string[] = []
    for (const table of tablesAboutPeople()) {
      const sql = eraseStatement(table)
      if (sql === null) continue
      const plan = app.platform.connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ['tnt', 'trd'])
      if (plan.some(({ detail }) => /^SCAN (?!CONSTANT)/.test(detail))) slow.push(`${tableAt(table.name)}: ${sql}`)
    }
    expect(slow).toEqual([])
  })
})
