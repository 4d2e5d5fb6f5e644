import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Module, moduleOf, untaken } from './exported.ts'

const root = join(import.meta.dir, '../..')
const isTest = (path: string): boolean =>
  /\.test\.tsx?$|^src\/(contract|testing|bench)\/|^admin-ui\/testing\//.test(path)

async function read(): Promise<Module[]> {
  const paths = ['build.ts', 'dev.ts', 'litestream.ts']
  for (const folder of ['src', 'admin-ui'])
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root))
      if (!path.endsWith('.d.ts')) paths.push(path)
  return Promise.all(paths.sort().map(async (path) => moduleOf(path, await Bun.file(join(root, path)).text())))
}

/** Exports that a test alone takes: of which file, and what it tells. */
const FOR_TESTS: Readonly<Record<string, readonly [names: string, reason: string]>> = {
  'admin-ui/components/choice-groups.tsx': ['GroupedChoice', 'shape'],
  'admin-ui/components/data-list.tsx': ['DataListProps', 'shape'],
  'admin-ui/components/timeline.tsx': ['dayHeading', 'days'],
  'admin-ui/features/affiliates/affiliate-tree.tsx': ['inOrder', 'order'],
  'admin-ui/features/fx/quote.ts': ['quoteChange', 'arithmetic'],
  'admin-ui/features/reports/reports.api.ts': ['TaxPage TaxRow', 'shape'],
  'admin-ui/lib/drafts.ts': ['draftKey keepDraft readDraft holdDraft dropDraft', 'storage'],
  'admin-ui/lib/http.ts': ['Problem readProblem', 'shape'],
  'admin-ui/lib/list-look.ts': ['plainLook moved', 'arithmetic'],
  'admin-ui/lib/list-window.ts': ['windowOf', 'arithmetic'],
  'admin-ui/lib/saved-views.ts': ['filtersOfView addressOfView openingView', 'addresses'],
  'litestream.ts': ['engineAt', 'refusals'],
  'src/commands/doctor/doctor.ts': ['examine inWords', 'findings'],
  'src/commands/licenses.ts': ['licensesOf', 'refusals'],
  'src/commands/serve.ts': ['Running startServer', 'start'],
  'src/config.ts': ['Setting', 'shape'],
  'src/modules/ads/ads.graph.ts': ['waitOf redacted', 'refusals'],
  'src/modules/audit/audit.queries.ts': ['mostOf', 'bounds'],
  'src/modules/auth/auth.passwords.ts': ['HASHES', 'bounds'],
  'src/modules/commissions/runs.service.ts': ['MOST_ATTEMPTS', 'bounds'],
  'src/modules/files/files.quota.ts': ['CLIENT_QUOTA FIRM_QUOTA CLIENTS_SHARE', 'bounds'],
  'src/modules/files/shelf.ts': ['createShelf', 'memory'],
  'src/modules/fx/fx.quotes.ts': ['ClientTerms', 'shape'],
  'src/modules/guide/webhooks.page.ts': ['SAMPLE_SECRET sampleDelivery', 'sample'],
  'src/modules/mails/mails.jobs.ts': ['claimMails', 'races'],
  'src/modules/merges/merges.plan.ts': ['STAYS COLLISIONS', 'completeness'],
  'src/modules/privacy/privacy.plan.ts': ['NEVER UNTOLD', 'completeness'],
  'src/modules/reporting/ledger-kinds.ts': ['isLedgerKind', 'completeness'],
  'src/modules/reporting/reporting.memory.ts': ['createMemory', 'memory'],
  'src/modules/sandbox/sandbox.running.ts': ['createRunning', 'memory'],
  'src/modules/support/thread.ts': ['CLIENT_MOST STAFF_MOST', 'bounds'],
  'src/modules/system/reseal.jobs.ts': ['SEALED', 'completeness'],
  'src/modules/webhooks/webhooks.slots.ts': ['Attempt', 'shape'],
  'src/platform/db/migrate.ts': ['NewerSchema', 'refusals'],
  'src/platform/db/statistics.ts': ['STATISTICS', 'completeness'],
  'src/platform/egress.ts': ['EgressRequest isPublicAddress', 'addresses'],
  'src/platform/http/console.ts': ['unpacked', 'encodings'],
  'src/platform/http/csv.ts': ['defuse', 'formulas'],
  'src/platform/http/downloads.ts': ['createDownloads', 'bounds'],
  'src/platform/http/intake.ts': ['Reading', 'shape'],
  'src/platform/http/openapi.ts': ['envelopeOf', 'shapes'],
  'src/platform/http/patience.ts': ['dueAfter', 'arithmetic'],
  'src/platform/log.ts': ['LogLevel', 'shape'],
  'src/platform/mail.ts': ['MailSettings', 'shape'],
  'src/platform/money.ts': ['currencies convert', 'arithmetic'],
  'src/platform/recovery-words.ts': ['WrongWords', 'refusals'],
  'src/platform/tls/acme/keeper.ts': ['Keeper', 'shape'],
}

/** Values in tests that only have to compile, or not to: an export is not unused. */
const TYPES_IN_TESTS = /\.test\.tsx?: /

/** Exports that no source takes, and who does. */
const ELSEWHERE: readonly string[] = [
  // the entry of the executable, which build.ts writes
  'src/platform/embedded.ts: registerEmbedded',
]

test('an export is taken by another file, and one that tests alone take says why', async () => {
  const modules = await read()
  const inProduct = untaken(modules, (taker, giver) => !isTest(taker) || isTest(giver))
  const inAny = untaken(modules, () => true)
  const listed = Object.entries(FOR_TESTS).flatMap(([path, [names]]) =>
    names.split(' ').map((name) => `${path}: ${name}`),
  )
  // what nobody takes is private to its file, or goes
  expect(inAny.filter((item) => !TYPES_IN_TESTS.test(item))).toEqual([...ELSEWHERE])
  // the other way round too: what the product takes by now needs no reason
  expect(inProduct.filter((item) => !inAny.includes(item)).toSorted()).toEqual(listed.toSorted())
}, 60_000)

test('what is taken is seen in every way of taking', () => {
  const giver = moduleOf(
    'a/giver.ts',
    'export const one = 1, two = 2\nexport const { three, four: [five] } = x\nexport type Six = 6\nconst seven = 7\n' +
      "export function eight() {}\nexport { seven }\nexport { nine } from './nine.ts'",
  )
  expect(giver.exports).toEqual(['one', 'two', 'three', 'five', 'Six', 'eight', 'seven', 'nine'])
  const takers = [
    moduleOf('a/names.ts', "import { one as uno, type Six } from './giver.ts'"),
    moduleOf('b/whole.ts', "import * as giver from '../a/giver.ts'\ngiver.two()"),
    moduleOf('b/later.tsx', "const Five = lazy(() => import('../a/giver.ts'), 'five')"),
    moduleOf('a/passing.ts', "export { three } from './giver.ts'"),
    moduleOf('a/typed.ts', "type Eight = typeof import('./giver.ts').eight"),
  ]
  expect(untaken([giver, ...takers], () => true)).toEqual([
    'a/giver.ts: seven',
    'a/giver.ts: nine',
    'a/passing.ts: three',
  ])
  expect(untaken([giver, ...takers], (taker) => taker === 'a/names.ts').slice(0, 2)).toEqual([
    'a/giver.ts: two',
    'a/giver.ts: three',
  ])
})
