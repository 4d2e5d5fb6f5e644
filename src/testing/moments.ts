import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openStill } from '../platform/sqlite.ts'
import { ask, must, requireExecutable } from './executable.ts'
import { type Moving, moveMoney } from './moving-money.ts'
import { numberOption } from './options.ts'
import { closePair, foundPair, type Machine, type Pair, signInOn, startOn, untilStatus, within } from './pair.ts'

/**
 * Reads a standby at random while money moves on its primary: each answer, and all that is read of one copy, must be
 * the books at one moment. Then the same sums are read from the followed file itself, as if nobody changed it: they
 * must be wrong within 100 reads, or the trial could not fail. Usage: bun run moments -- [--reads 2000]
 */
const READS = numberOption('reads', 2_000)
const READERS = numberOption('readers', 6)
/** The least number of moments, each of which is a copy that a standby made. */
const MOMENTS = 3
const WALLETS = numberOption('wallets', 400)
const WRITERS = numberOption('writers', 4)
/** The mixed moment must show within this many reads of the followed file. */
const SHOWS_WITHIN = 100

type Read = (path: string) => Promise<Record<string, unknown>>
type Sums = Map<string, bigint>

const toMinor = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''))
const add = (sums: Sums, currency: unknown, amount: bigint): void =>
  void sums.set(String(currency), (sums.get(String(currency)) ?? 0n) + amount)
const tell = (sums: Sums): string =>
  [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .toSorted()
    .join(', ')
const same = (what: string, one: Sums, other: Sums): void =>
  must(tell(one) === tell(other), `${what}: ${tell(one)} is not ${tell(other)}`)
const rowsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])
const sumRows = (rows: unknown, toAmount: (row: Record<string, unknown>) => bigint): Sums => {
  const sums: Sums = new Map()
  for (const row of rowsIn(rows)) add(sums, row.currency, toAmount(row))
  return sums
}

/** Reads all pages of a list. */
async function readPages(read: Read, path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const page = await read(`${path}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    rows.push(...rowsIn(page.data))
    cursor = page.nextCursor
  }
  return rows
}

/** Reads the trial balance, which must be zero; returns what clients have, and what gateways brought. */
async function readBooks(read: Read): Promise<{ clients: Sums; gateways: Sums }> {
  const { balanced, totals, accounts } = await read('/v1/ledger/trial-balance')
  must(balanced === true && tell(sumRows(totals, (row) => toMinor(row.balance))) === '', 'the ledger is not zero')
  const addUp = (names: readonly string[]): Sums =>
    sumRows(
      rowsIn(accounts).filter(({ account }) => names.includes(String(account))),
      (row) => toMinor(row.balance),
    )
  return { clients: addUp(['client_available', 'client_held']), gateways: addUp(['gateway_clearing']) }
}

let periods = 0
/** Returns a period that was not asked for before, since a report of one is remembered for a minute. */
function nextPeriod(): string {
  periods += 1
  const from = new Date(Date.UTC(2020, 0, 1 + periods)).toISOString().slice(0, 10)
  const to = new Date(Date.UTC(2020, 0, 8 + periods)).toISOString().slice(0, 10)
  return `from=${from}&to=${to}`
}

/** The kinds of reads. Each throws if what it read is not of one moment. */
const KINDS: Readonly<Record<string, (read: Read, wallets: Moving['wallets']) => Promise<void>>> = {
  'trial balance': async (read) => void (await readBooks(read)),
  'pages of wallets': async (read) => {
    const page = await read('/v1/wallets?limit=1&sums=true&count=true')
    const rows = await readPages(read, `/v1/wallets?limit=${Math.random() < 0.5 ? 200 : 97}`)
    must(rows.length === page.total, `${rows.length} wallets are not ${page.total}`)
    const available = sumRows(rows, (row) => toMinor(row.available))
    same(
      'pages and their sum',
      available,
      sumRows(page.sums, (row) => toMinor(row.amount)),
    )
    const all = sumRows(rows, (row) => toMinor(row.available) + toMinor(row.held))
    same('wallets and books', all, (await readBooks(read)).clients)
  },
  'a wallet and its replay': async (read, wallets) => {
    const one = wallets[Math.floor(Math.random() * wallets.length)]
    const { data } = await read(`/v1/wallets?traderId=${one?.traderId}`)
    const [wallet] = rowsIn(data)
    const entries = await readPages(read, `/v1/wallets/${one?.id}/entries?limit=200`)
    const replayed = entries.reduce((sum, { amount }) => sum + toMinor(amount), 0n)
    must(replayed === toMinor(wallet?.available), `the entries make ${replayed}, the wallet has ${wallet?.available}`)
    const [newest] = entries
    must(newest?.balance === wallet?.available, `after its last entry ${newest?.balance}, not ${wallet?.available}`)
  },
  'deposits and books': async (read) => {
    const { sums } = await read('/v1/deposits?limit=1&status=settled&sums=true')
    const { gateways } = await readBooks(read)
    const brought = sumRows(sums, (row) => toMinor(row.amount))
    same('settled deposits and what gateways brought', brought, new Map([...gateways].map(([one, sum]) => [one, -sum])))
  },
  'the dashboard': async (read) => {
    const { firm } = await read(`/v1/admin/reporting/dashboard?currency=EUR&${nextPeriod()}`)
    const held = (firm as { held?: { currencies?: unknown } } | undefined)?.held?.currencies
    same(
      'a report and the books',
      sumRows(held, (row) => toMinor(row.amount)),
      (await readBooks(read)).clients,
    )
  },
  'the tax report': async (read) => {
    const { data } = await read('/v1/admin/tax-report?limit=200')
    const moves = ['opening', 'deposits', 'withdrawals', 'transfersIn', 'transfersOut', 'converted', 'adjustments']
    for (const row of rowsIn(data)) {
      const made = [...moves, 'commissions', 'merged'].reduce((sum, name) => sum + toMinor(row[name]), 0n)
      must(made === toMinor(row.closing), `a client’s movements make ${made}, not ${row.closing}`)
    }
  },
}

type Counts = { done: Map<string, number>; passedOver: number; busy: number; moments: Set<string>; oldest: number }

/** Reads at random, as one browser does, until there were enough reads. */
async function readOn(standby: Machine, headers: Record<string, string>, moving: Moving, counts: Counts) {
  const read: Read = async (path) => {
    const answer = await ask(standby.url, 'GET', path, { headers })
    if (answer.json.code === 'busy') {
      counts.busy += 1
      await Bun.sleep(200)
      return read(path)
    }
    must(answer.status === 200 && answer.headers.get('x-crm-role') === 'standby', `${path}: ${answer.text}`)
    counts.oldest = Math.max(counts.oldest, Number(answer.headers.get('x-crm-age')))
    return answer.json
  }
  // whatever is between two reads of the same newest entry was read of the same books
  const readMoment = async (): Promise<string> => {
    const { data } = await read('/v1/ledger/entries?limit=1&sort=-createdAt')
    return String(rowsIn(data)[0]?.id)
  }
  const names = Object.keys(KINDS)
  const count = (): number => [...counts.done.values()].reduce((sum, n) => sum + n, 0)
  while (count() < READS || counts.moments.size < MOMENTS) {
    const name = names[Math.floor(Math.random() * names.length)] ?? ''
    const before = await readMoment()
    const failure = await KINDS[name]?.(read, moving.wallets).then(
      () => null,
      (error: unknown) => error,
    )
    if ((await readMoment()) !== before) counts.passedOver += 1
    else if (failure) throw new Error(`${name} at ${before}`, { cause: failure })
    else {
      counts.moments.add(before)
      counts.done.set(name, (counts.done.get(name) ?? 0) + 1)
    }
  }
}

const BALANCES = 'SELECT currency, sum(available) AS amount FROM wallets GROUP BY currency'
const DRIFTED = `SELECT w.id FROM wallets w WHERE w.id = ?1 AND w.available <> (SELECT coalesce(sum(e.amount), 0)
  FROM ledger_entries e WHERE e.tenant_id = w.tenant_id AND e.wallet_id = w.id AND e.account = 'client_available')`

/**
 * Reads the followed file itself, in the way in which a standby reads its copies: as a file that nobody changes. Such a
 * connection goes on with the pages that it has read before. Returns the number of the read that was mixed.
 */
async function findMixed({ standby }: Pair, moving: Moving): Promise<number | undefined> {
  const followed = join(standby.data, 'standby/followed')
  const [history = ''] = readdirSync(followed)
  const kept = openStill(join(followed, history, 'brokerbase.db'))
  try {
    for (let reads = 1; reads <= SHOWS_WITHIN; reads += 1, await Bun.sleep(150))
      try {
        kept.all(BALANCES)
        if (kept.all(DRIFTED, [moving.last()]).length > 0) return reads
      } catch (error) {
        if (String(error).includes('malformed')) return reads
      }
  } finally {
    kept.close()
  }
  return undefined
}

async function run(pair: Pair): Promise<void> {
  const { standby } = pair
  const moving = await moveMoney(pair, { wallets: WALLETS, writers: WRITERS })
  const headers = await signInOn(pair.primary)
  await startOn(standby, ['standby'])
  await untilStatus(standby, '/ready/read', 200)
  await within('the session is known to the standby', 60, async () => {
    const answer = await ask(standby.url, 'GET', '/v1/wallets?limit=1', { headers })
    return answer.status === 200
  })
  const before = moving.moved()
  const began = performance.now()
  const counts: Counts = { done: new Map(), passedOver: 0, busy: 0, moments: new Set(), oldest: 0 }
  await Promise.all(Array.from({ length: READERS }, () => readOn(standby, headers, moving, counts)))
  const seconds = (performance.now() - began) / 1_000
  const rate = ((moving.moved() - before) / seconds).toFixed(0)
  for (const [name, times] of counts.done) process.stdout.write(`  ${name}: ${times}\n`)
  process.stdout.write(
    `each of one moment: ${counts.moments.size} moments in ${seconds.toFixed(0)} s, ${rate} movements a second, ${counts.passedOver} passed over, ${counts.busy} refused as busy, the oldest copy ${counts.oldest} s\n`,
  )
  const mixed = await findMixed(pair, moving)
  await moving.stop()
  must(mixed !== undefined, `the followed file was read ${SHOWS_WITHIN} times, and no moment was mixed`)
  process.stdout.write(`the followed file itself: mixed at read ${mixed}\n`)
}

requireExecutable()
const pair = await foundPair((root) => `file://${root}/replica`)
try {
  await run(pair)
  process.stdout.write('2 passed, 0 failed\n')
} catch (error) {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
  process.stdout.write(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
await closePair(pair)
process.exit()
