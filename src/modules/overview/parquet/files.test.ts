import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { createCalendar, type FileTable, listFileTables, type SourceRow } from './file-columns.ts'
import { NO_FREE_TEXT } from './free-text.ts'
import { writeTableFile } from './table-file.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'brokerbase-parquet-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const UTC = createCalendar('UTC')
const findTable = (name: string, withPeople = false): FileTable => {
  const table = listFileTables({ withPeople }).find((one) => one.name === name)
  if (!table) throw new Error(`there is no ${name}`)
  return table
}
const readBytes = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer
const write = async (table: FileTable, rows: Iterable<SourceRow>) => {
  const path = join(directory, `${table.name}.parquet`)
  const made = await writeTableFile(path, table, rows, UTC)
  return { made, file: readBytes(path) }
}
/** Returns what a column makes of a value, and of the currency beside it. */
const convert = (table: string, name: string, value: SqlValue, currency: SqlValue = null, calendar = UTC) =>
  findTable(table)
    .columns.find((column) => column.name === name)
    ?.convert(value, currency, calendar)

describe('the values of a file', () => {
  test('an amount is a decimal of eight places in every currency, and beside it are its minor units', () => {
    const amounts: [minor: number, currency: SqlValue, unscaled: bigint | null][] = [
      [1250, 'JPY', 125_000_000_000n],
      [1250, 'EUR', 1_250_000_000n],
      [-1, 'USD', -1_000_000n],
      [1250, 'KWD', 125_000_000n],
      [1250, 'USDT', 125_000n],
      [1250, 'BTC', 1250n],
      [-1250, 'BTC', -1250n],
      [0, 'EUR', 0n],
      [Number.MAX_SAFE_INTEGER, 'JPY', 900_719_925_474_099_100_000_000n],
      [Number.MIN_SAFE_INTEGER, 'JPY', -900_719_925_474_099_100_000_000n],
      [1250, null, null],
      [1250, 'QQQ', null],
    ]
    for (const [minor, currency, unscaled] of amounts) {
      expect(convert('deposits', 'amount', minor, currency)).toBe(unscaled)
      expect(convert('deposits', 'amount_minor', minor, currency)).toBe(BigInt(minor))
    }
    expect(convert('deposits', 'settled_amount', null, 'EUR')).toBeNull()
    expect(convert('deposits', 'settled_amount_minor', null, 'EUR')).toBeNull()
  })

  test('lots have eight decimals, a transfer has the currency of each side, and prices are text', () => {
    expect(convert('positions', 'volume', 150_000_000)).toBe(150_000_000n)
    const sides = findTable('transfers').columns.filter(({ type }) => type === 'decimal(38,8)')
    expect(sides.map(({ name, currency }) => [name, currency])).toEqual([
      ['from_amount', 'from_currency'],
      ['to_amount', 'to_currency'],
    ])
    expect(convert('positions', 'open_price', '1.23456789012')).toBe('1.23456789012')
    expect(convert('fx_rates', 'rate', '0.1')).toBe('0.1')
  })

  test('a day is the firm’s own, flags are true or false, and what is missing is null', () => {
    const night = Date.UTC(2026, 2, 28, 22, 30)
    const days = Date.UTC(2026, 2, 28) / 86_400_000
    expect(convert('deposits', 'created_day', night)).toBe(days)
    expect(convert('deposits', 'created_day', night, null, createCalendar('Europe/Nicosia'))).toBe(days + 1)
    expect(convert('deposits', 'settled_day', null)).toBeNull()
    expect(convert('deposits', 'settled_at', null)).toBeNull()
    expect([1, 0, null].map((flag) => convert('deposits', 'by_trader', flag))).toEqual([true, false, null])
    expect(convert('transfers', 'rate', null)).toBeNull()
  })
})

describe('the columns of a file', () => {
  const list = (withPeople: boolean): string[] =>
    listFileTables({ withPeople }).flatMap(({ name, columns }) => columns.map(({ from }) => `${name}.${from}`))

  test('without people no file has what strangers, clients or colleagues write as they like', () => {
    const without = list(false)
    const leftOut = [...new Set(list(true).filter((column) => !without.includes(column)))]
    expect(
      leftOut.filter((column) => /^(deposits|withdrawals|transfers|leads|affiliate_clicks|fx_)/.test(column)),
    ).toEqual([
      'deposits.provider_reference',
      'deposits.failure_reason',
      'withdrawals.rejection_detail',
      'withdrawals.payment_reference',
      'transfers.rate_source',
      'transfers.platform_reference',
      'transfers.refusal_reason',
      'leads.email',
      'leads.first_name',
      'leads.last_name',
      'leads.source',
      'leads.campaign',
      'affiliate_clicks.url',
      'affiliate_clicks.referrer',
      'affiliate_clicks.utm',
      'fx_rates.source',
    ])
    for (const column of ['users.email', 'users.display_name', 'user_names.name', 'tickets.subject'])
      expect(leftOut).toContain(column)
  })

  test('every text that is said to be no free text is in a file', () => {
    const without = list(false)
    expect(Object.keys(NO_FREE_TEXT).filter((column) => !without.includes(column))).toEqual([])
  })
})

describe('a file', () => {
  test('a file says the types of its columns, and has its values', async () => {
    const at = Date.UTC(2026, 0, 15, 12)
    const row = { id: 'lte_1', transaction_id: 'ltx_1', trader_id: null, wallet_id: null, account: 'client_held' }
    const rows = [
      { ...row, currency: 'EUR', amount: -1250, created_at: at },
      { ...row, currency: 'JPY', amount: 1250, created_at: at },
    ]
    const { made, file } = await write(findTable('ledger_entries'), rows)
    expect(made).toEqual({
      rows: 2,
      bytes: file.byteLength,
      sha256: new Bun.CryptoHasher('sha256').update(file).digest('hex'),
    })
    const types = parquetSchema(parquetMetadata(file)).children.map(
      ({ element: { name, type, logical_type, precision, scale } }) => [
        name,
        type,
        logical_type?.type,
        ...(precision ? [precision, scale] : []),
      ],
    )
    expect(types.filter(([name]) => /amount|created|currency/.test(String(name)))).toEqual([
      ['currency', 'BYTE_ARRAY', 'STRING'],
      ['amount', 'FIXED_LEN_BYTE_ARRAY', 'DECIMAL', 38, 8],
      ['amount_minor', 'INT64', undefined],
      ['created_at', 'INT64', 'TIMESTAMP'],
      ['created_day', 'INT32', 'DATE'],
    ])
    expect(await parquetReadObjects({ file })).toEqual([
      {
        ...row,
        currency: 'EUR',
        amount: -12.5,
        amount_minor: -1250n,
        created_at: new Date(at),
        created_day: new Date('2026-01-15'),
      },
      {
        ...row,
        currency: 'JPY',
        amount: 1250,
        amount_minor: 1250n,
        created_at: new Date(at),
        created_day: new Date('2026-01-15'),
      },
    ])
  })

  test('a table without rows is a file with its columns', async () => {
    const { made, file } = await write(findTable('tickets'), [])
    expect(made.rows).toBe(0)
    expect(await parquetReadObjects({ file })).toEqual([])
    expect(parquetSchema(parquetMetadata(file)).children.length).toBe(findTable('tickets').columns.length)
  })

  test('rows are written in groups of 50,000, and read as they come', async () => {
    const table = findTable('user_names', true)
    function* rows(): Generator<SourceRow> {
      for (let at = 0; at < 50_001; at += 1) yield { user_id: `usr_${at}`, name: 'Ada', until: at }
    }
    const { made, file } = await write(table, rows())
    expect(made.rows).toBe(50_001)
    expect(parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([50_000, 1])
    const last = await parquetReadObjects({ file, rowStart: 50_000 })
    expect(last).toEqual([{ user_id: 'usr_50000', name: 'Ada', until: 50_000n }])
  })
})
