import { expect, test } from 'bun:test'
import { positions } from '../modules/books/positions/positions.table.ts'
import { terminalDeals } from '../modules/terminals/deals/deals.table.ts'
import { terminalFindings } from '../modules/terminals/findings/findings.table.ts'
import { createReader, matchSql } from '../platform/db/reader.ts'
import { getTableMeta, type TenantTable } from '../platform/db/tenant-table.ts'
import { createTestApp } from '../testing/app.ts'

const write = (table: TenantTable, match: object): [string, unknown[]] => {
  const params: never[] = []
  return [matchSql(getTableMeta(table), { ...match }, params), params]
}

test('words of an enumeration and flags stand in the text of a query, and everything else is a parameter', () => {
  const [sql, params] = write(terminalFindings, { connectionId: "o'pen", kind: 'clock', state: 'open', healed: false })
  expect(sql.match(/= \S+/g)).toEqual(['= ?', "= 'clock'", "= 'open'", '= 0'])
  expect(params).toEqual(["o'pen"])
  expect(write(terminalFindings, { state: "open' OR 1 --" })).toEqual([
    ' AND terminal_findings.state = ?',
    ["open' OR 1 --"],
  ])
})

test.each([
  ['terminal_findings_open', terminalFindings, { connectionId: 'a', kind: 'clock', subject: '1', state: 'open' }],
  ['terminal_findings_open', terminalFindings, { connectionId: 'a', kind: 'clock', subject: ['1'], state: 'open' }],
  ['terminal_deals_technical', terminalDeals, { connectionId: 'a', login: '1', technical: true }],
] as const)('rows are looked up in %s, which has some rows only', async (index, table, match) => {
  const app = createTestApp()
  const { name } = getTableMeta(table)
  const [where] = write(table, match)
  const [first] = app.platform.reader.all<{ detail: string }>(
    `EXPLAIN QUERY PLAN SELECT * FROM ${name} WHERE ${name}.tenant_id = ? ${where}`,
  )
  expect(first?.detail).toContain(index)
  await app.close()
})

test('positions are sorted by result from two indexes that contain all that is sorted, and are merged', async () => {
  const app = createTestApp()
  const texts: string[] = []
  const { reader } = app.platform
  const all: typeof reader.all = (sql, params) => {
    texts.push(sql)
    return reader.all(sql, params)
  }
  const tail = ' AND positions.currency = ? ORDER BY positions.profit DESC, positions.id DESC LIMIT ?'
  const db = createReader({ ...reader, all }, { tenantId: 'tnt_a', traderId: null })
  db.select(positions, tail, ['USD', 51], { apart: 'status', idsBy: 'positions.profit' })
  const plan = reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${texts[0]}`)
  expect(plan.map(({ detail }) => detail.replace(/ \(.*=.*/, ''))).toEqual([
    'MERGE (UNION ALL)',
    'LEFT',
    'SEARCH positions USING COVERING INDEX positions_trader_open',
    'USE TEMP B-TREE FOR ORDER BY',
    'RIGHT',
    'SEARCH positions USING COVERING INDEX positions_closed_result',
  ])
  await app.close()
})
