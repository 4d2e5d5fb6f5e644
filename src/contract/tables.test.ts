import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { bare, statement } from '../platform/db/statement.ts'
import { getTableMeta, holdsAmounts, type TableMeta } from '../platform/db/tenant-table.ts'
import type { Connection } from '../platform/sqlite.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { isSentenceKey } from '../words/say.ts'
import { tableAt } from './places.ts'

describe('the schema and the tables of the code', () => {
  let app: TestApp
  let db: Connection
  beforeAll(() => {
    app = createTestApp()
    db = app.platform.connection
  })
  afterAll(() => app.close())

  /** Only SQL uses these columns: a search key, and hashes with which the audit chain is checked. */
  const SQL_ONLY: Readonly<Record<string, readonly string[]>> = { audit: ['data_hash'] }
  /** This column is a copy of the list's own column, whose values are checked. */
  const COPIED = 'sanctions_hits.source'
  const isTable = (value: unknown): value is SQLiteTable => {
    try {
      getTableMeta(value as SQLiteTable)
      return true
    } catch {
      return false
    }
  }
  const described = new Map<string, { table: SQLiteTable; meta: TableMeta }>()
  /** The tables of journals and those without a tenant, which declare only the columns that statements name. */
  const plain: SQLiteTable[] = []
  beforeAll(async () => {
    for await (const path of new Bun.Glob('src/modules/**/*.table.ts').scan(join(import.meta.dir, '../..'))) {
      const module: Record<string, unknown> = await import(join(import.meta.dir, '../..', path))
      for (const value of Object.values(module))
        if (isTable(value)) {
          const meta = getTableMeta(value)
          described.set(meta.name, { table: value, meta })
        } else if (is(value, SQLiteTable)) plain.push(value)
    }
  })

  test('every kind of record and every field that the audit log shows has a name', () => {
    const audited = [...described.values()].filter(({ meta }) => meta.audited !== false)
    expect(audited.length).toBeGreaterThan(30)
    // a generated column is never written, so that no entry names it
    const isWritten = (table: SQLiteTable, key: string): boolean => getTableColumns(table)[key]?.generated === undefined
    const nameless = audited.flatMap(({ table, meta: { entity, columns, secret = [] } }) => [
      ...(isSentenceKey(`audit.entity.${entity}`) ? [] : [entity]),
      ...columns
        .map(({ key }) => key)
        .filter((key) => key !== 'tenantId' && !secret.includes(key) && isWritten(table, key))
        .filter((key) => !isSentenceKey(`field.${key}`) && !isSentenceKey(`audit.field.${key}`)),
    ])
    expect(nameless).toEqual([])
  })

  test('the schema and the declared tables agree on names, types and columns that may be empty', () => {
    const faults: string[] = []
    expect(described.size).toBeGreaterThan(20)
    for (const [name, { table, meta }] of described) {
      const columns = new Map(
        db
          .all<{ name: string; notnull: number; type: string; pk: number }>(
            'SELECT name, "notnull", type, pk FROM pragma_table_xinfo(?)',
            [name],
          )
          .map((row) => [row.name, row]),
      )
      if (columns.size === 0) faults.push(`${tableAt(name)}: a migration has to make ${name}`)
      for (const [key, column] of Object.entries(getTableColumns(table))) {
        const sql = meta.byKey.get(key)?.sql ?? key
        const real = columns.get(sql)
        columns.delete(sql)
        if (!real) faults.push(`${tableAt(name)}: a migration has to add ${name}.${sql}`)
        else {
          if (column.notNull !== (real.notnull === 1 || real.pk > 0))
            faults.push(`${tableAt(name)} ${name}.${sql}: may it be empty?`)
          const type = { text: 'TEXT', integer: 'INTEGER', blob: 'BLOB' }[column.getSQLType()]
          if (type !== real.type) faults.push(`${tableAt(name)}: ${name}.${sql} is ${real.type}, not ${type}`)
        }
      }
      for (const left of columns.keys())
        if (left !== 'rid' && !SQL_ONLY[name]?.includes(left)) faults.push(`${tableAt(name)}: add ${name}.${left}`)
    }
    expect(faults).toEqual([])
  })

  test('the schema and the declared journals agree on types and columns that may be empty', () => {
    const faults: string[] = []
    expect(plain.length).toBeGreaterThan(4)
    for (const table of plain)
      for (const column of Object.values(getTableColumns(table))) {
        const name = statement(sql`${bare(column)}`)
        const real = db.get<{ type: string; notnull: number; pk: number }>(
          'SELECT type, "notnull", pk FROM pragma_table_xinfo(?) WHERE name = ?',
          [getTableName(table), name],
        )
        const may = column.notNull === (real !== undefined && (real.notnull === 1 || real.pk > 0))
        if (real?.type !== column.getSQLType().toUpperCase() || !may) faults.push(`${getTableName(table)}.${name}`)
      }
    expect(faults).toEqual([])
  })

  test('the schema and the declared tables agree on the values and defaults of each column', () => {
    const faults: string[] = []
    let compared = 0
    for (const [name, { table, meta }] of described) {
      const { sql: schema = '' } = db.get<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?', [name]) ?? {}
      const fallbacks = new Map(
        db
          .all<{ name: string; dflt_value: string | null }>('SELECT name, dflt_value FROM pragma_table_xinfo(?)', [
            name,
          ])
          .map((row) => [row.name, row.dflt_value]),
      )
      for (const [key, column] of Object.entries(getTableColumns(table))) {
        const { sql = key, encode } = meta.byKey.get(key) ?? {}
        const words = column.enumValues ?? []
        const [, known] = new RegExp(`\\b${sql} TEXT[^,]*?CHECK \\(${sql} IN \\(([^)]*)\\)`).exec(schema) ?? []
        const checked = known?.match(/(?<=')[^']*(?=')/g)?.filter((word) => /\w/.test(word)) ?? []
        if (words.length > 0 || checked.length > 0) compared += 1
        if (`${name}.${sql}` === COPIED) continue
        if ([...words].sort().join() !== checked.sort().join())
          faults.push(
            `${tableAt(name)}: ${name}.${sql} is ${words.join() || 'any text'} in the code, ${checked.join() || 'any'} in the schema`,
          )
        const fallback =
          column.default instanceof Object && 'queryChunks' in column.default ? undefined : column.default
        if (fallback === undefined || fallback === null) continue
        const stored = encode ? encode(fallback) : fallback
        const real = fallbacks.get(sql)
        if (real != null && real !== (typeof stored === 'string' ? `'${stored}'` : String(Number(stored))))
          faults.push(`${tableAt(name)}: ${name}.${sql} starts as ${String(stored)} in the code, ${real} in the schema`)
      }
    }
    expect(faults).toEqual([])
    expect(compared).toBeGreaterThan(30)
  })

  test('every amount names the column of its currency, or says that it is no money', () => {
    const faults: string[] = []
    let amounts = 0
    for (const [name, { table, meta }] of described) {
      const columns = getTableColumns(table)
      for (const [key, column] of Object.entries(columns)) {
        const { currency = null } = meta.byKey.get(key) ?? {}
        if (holdsAmounts(column)) amounts += 1
        else if (currency !== null || meta.currencies?.[key] !== undefined)
          faults.push(`${tableAt(name)}: ${name}.${key} is no amount`)
        if (currency === null) continue
        const { columnType } = columns[currency] ?? {}
        if (columnType !== 'SQLiteText')
          faults.push(`${tableAt(name)} ${name}.${key}: no column ${currency} says its currency`)
      }
    }
    expect(faults).toEqual([])
    expect(amounts).toBeGreaterThan(20)
  })

  test('a table that declares for one column where it is shown declares it for all', () => {
    const faults: string[] = []
    for (const [name, { meta }] of described) {
      const own = meta.columns.filter(({ key }) => key !== 'id' && key !== 'tenantId')
      if (own.some(({ said }) => said.shown))
        for (const { key, said } of own)
          if (!said.shown) faults.push(`${tableAt(name)}: say by \`column\` where ${name}.${key} is shown`)
    }
    expect(faults).toEqual([])
  })

  test('no secret column is in an export or on the SQL page', () => {
    const faults: string[] = []
    for (const [name, { meta }] of described)
      for (const { key, said } of meta.columns)
        if (meta.secret?.includes(key) && /csv|sql/.test(said.shown ?? ''))
          faults.push(`${tableAt(name)}: ${name}.${key} is secret`)
    expect(faults).toEqual([])
  })

  test('every owner column exists, and each table with a trader has one or is listed', () => {
    const withoutOwner: string[] = []
    for (const [name, { meta }] of described) {
      if (meta.owner) expect([name, meta.byKey.has(meta.owner)]).toEqual([name, true])
      else if (meta.has.traderId && meta.broker === undefined) withoutOwner.push(name)
    }
    // the rows of these tables are about a trader who must not see them; a new one needs its reason here
    expect(withoutOwner.sort()).toEqual([
      'adjustments',
      'audit',
      'client_acts',
      // the rows of a file that the firm imported
      'import_lines',
      'leads',
      'psp_exceptions',
      'sanctions_hits',
      // only the affiliate and the firm may know who a client's affiliate is
      'trader_affiliations',
      'trader_notes',
    ])
  })
})
