import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getTableMeta } from '../../../platform/db/tenant-table.ts'
import { createTestApp, type TestApp } from '../../../testing/app.ts'
import { HAPPENINGS } from './imports.unused-clients.ts'

let app: TestApp
beforeAll(() => {
  app = createTestApp()
})
afterAll(() => app.close())

/** Tables that name a client without being later activity, each with the reason. */
const SAYS_NOTHING: Readonly<Record<string, string>> = {
  accounts: 'those of the file are there by it; others and changed ones are looked for by themselves',
  ledger_entries: 'the opening is there by the file; other movements are looked for by themselves',
  wallets: 'opened with the money in them',
  import_lines: 'the file itself',
  positions: 'those of before are there too; what was traded since is looked for by itself',
  trader_labels: 'tags of the file; others are a change of the client',
  file_usage: 'counts files, which are a happening',
  client_acts: 'who brought the file is noted with it',
  trader_affiliations: 'a code in the file makes one',
  sanctions_due: 'everybody waits to be compared with the lists',
  audit: 'tells of everything, also of reading',
  events: 'tell of what the file did',
  kyc_documents: 'belong to papers that were handed in',
  ticket_messages: 'belong to a ticket',
  payout_destinations: 'belong to a withdrawal',
  commission_lines: 'belong to trades and deposits',
  affiliate_payouts: 'belong to an affiliate',
  psp_exceptions: 'belong to a deposit',
  sessions: 'need a password',
  views: 'somebody only looked',
}

test('every table that names a client counts as activity or has a reason why it does not', () => {
  const naming = app.platform.reader
    .all<{ name: string }>(
      `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND c.name = 'trader_id'`,
    )
    .map(({ name }) => name)
  const happenings = HAPPENINGS.map((table) => getTableMeta(table).name)
  expect(naming.filter((name) => !happenings.includes(name) && !(name in SAYS_NOTHING))).toEqual([])
  expect(Object.keys(SAYS_NOTHING).filter((name) => !naming.includes(name))).toEqual([])
})
