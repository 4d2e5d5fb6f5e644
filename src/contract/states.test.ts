import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { mayBecome, type States } from '../platform/db/states.ts'
import { createTestApp } from '../testing/app.ts'

/** Repeats which changes of state the rules and the modules allow; every other pair is refused. */
const ALLOWED: Readonly<Record<string, { table: string; pairs: string }>> = {
  affiliateStates: {
    table: 'affiliates',
    pairs: 'pending>active pending>closed active>suspended active>closed suspended>active suspended>closed',
  },
  payoutStates: { table: 'affiliate_payouts', pairs: 'requested>approved requested>rejected' },
  adConnectionStates: {
    table: 'ad_connections',
    pairs: 'active>error active>disabled error>active error>disabled disabled>active',
  },
  adBackfillStates: {
    table: 'ad_backfills',
    pairs: 'running>waiting running>done running>failed waiting>running waiting>done waiting>failed',
  },
  runStates: { table: 'commission_runs', pairs: 'computing>closed computing>done computing>failed' },
  adjustmentStates: { table: 'adjustments', pairs: 'requested>approved requested>rejected' },
  depositStates: {
    table: 'deposits',
    pairs: 'pending>settled pending>partially_settled pending>failed pending>cancelled',
  },
  gatewayStates: {
    table: 'deposits',
    pairs:
      'pending>settled pending>partially_settled pending>failed pending>cancelled failed>settled cancelled>settled',
  },
  fileStates: { table: 'files', pairs: 'awaiting>uploaded uploaded>attached' },
  submissionStates: { table: 'kyc_submissions', pairs: 'requested>approved requested>rejected' },
  // an approval becomes rejected if it is revoked, never by a late rejection
  reopenStates: { table: 'kyc_submissions', pairs: 'approved>requested' },
  revocationStates: { table: 'kyc_submissions', pairs: 'approved>rejected' },
  leadStates: {
    table: 'leads',
    pairs: `new>contacted new>nurture new>qualified new>unqualified new>junk new>converted
      contacted>new contacted>nurture contacted>qualified contacted>unqualified contacted>junk contacted>converted
      nurture>new nurture>contacted nurture>qualified nurture>unqualified nurture>junk nurture>converted
      qualified>new qualified>contacted qualified>nurture qualified>unqualified qualified>junk qualified>converted
      unqualified>new unqualified>contacted unqualified>nurture unqualified>qualified junk>new`,
  },
  listStates: {
    table: 'sanctions_lists',
    pairs: 'screening>screened screening>replaced screening>failed screened>replaced replaced>screened',
  },
  hitStates: {
    table: 'sanctions_hits',
    pairs: 'open>cleared open>confirmed cleared>confirmed cleared>open confirmed>cleared',
  },
  ticketStates: {
    table: 'tickets',
    pairs:
      'open>pending open>resolved open>closed pending>open pending>resolved pending>closed resolved>open resolved>closed closed>open',
  },
  mailStates: { table: 'mails', pairs: 'held>queued failed>queued' },
  userStates: { table: 'users', pairs: 'invited>disabled active>disabled disabled>active' },
  withdrawalStates: {
    table: 'withdrawals',
    pairs: 'requested>approved requested>rejected requested>cancelled approved>paid approved>rejected',
  },
  importStates: {
    table: 'imports',
    pairs:
      'receiving>checking receiving>failed checking>checked checking>loading checking>failed loading>loaded loading>done loading>undoing loaded>posting loaded>undoing posting>done posting>undoing done>undoing undoing>undone',
  },
  lapseStates: {
    table: 'withdrawals',
    pairs: 'requested>approved requested>rejected requested>cancelled approved>requested',
  },
}

const isStates = (value: unknown): value is States<string> =>
  typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)

const found = new Map<string, States<string>>()
const schemas = new Map<string, string>()
beforeAll(async () => {
  const root = join(import.meta.dir, '../..')
  for await (const path of new Bun.Glob('src/modules/**/*.states.ts').scan(root)) {
    const module: Record<string, unknown> = await import(join(root, path))
    for (const [name, value] of Object.entries(module)) if (isStates(value)) found.set(name, value)
  }
  const app = createTestApp()
  for (const { name, sql } of app.platform.reader.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL`,
  ))
    schemas.set(name, sql)
  await app.close()
})

test('every table of states has its allowed changes in this test', () => {
  expect([...found.keys()].sort()).toEqual(Object.keys(ALLOWED).sort())
})

describe.each(Object.entries(ALLOWED))('%s', (name, { table, pairs }) => {
  test('exactly the listed changes of state are allowed', () => {
    const states = found.get(name)
    if (!states) throw new Error('is not there')
    const names = Object.keys(states)
    const is = names.flatMap((from) => names.filter((to) => mayBecome(states, from, to)).map((to) => `${from}>${to}`))
    expect(is.sort()).toEqual(pairs.trim().split(/\s+/).sort())
    // no change leads to an unknown state, or to the same one
    expect(
      Object.values(states)
        .flat()
        .filter((to) => !names.includes(to)),
    ).toEqual([])
  })

  test('the states are those that the database allows', () => {
    const [, words = ''] = /\bstatus TEXT[^,]*?CHECK \(status IN \(([^)]*)\)\)/.exec(schemas.get(table) ?? '') ?? []
    const known = words.split(',').map((word) => word.trim().replaceAll("'", ''))
    expect(Object.keys(found.get(name) ?? {}).sort()).toEqual(known.sort())
  })
})
