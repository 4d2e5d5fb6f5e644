import { copyDataset, type Dataset } from './dataset.ts'
import { median } from './rounds.ts'
import { residentMegabytes, startProduct } from './servers.ts'
import { startTime } from './start.ts'
import { startSimulator, TerminalFirm, waitUntil } from './terminal-firm.ts'
import { createOne, findChildren, getOne, watchServer } from './terminal-watch.ts'

/** One figure with its goal; `isGood` is null where there is none. */
export type Figure = { label: string; measured: string; goal: string; isGood: boolean | null }

/** Returns a figure that should be at most so much. */
export const atMost = (label: string, value: number, limit: number, unit: string, why = ''): Figure => ({
  label,
  measured: `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`,
  goal: `≤ ${limit.toFixed(limit < 100 && !Number.isInteger(limit) ? 1 : 0)} ${unit}${why}`,
  isGood: value <= limit,
})
/** Returns a figure that should be nothing in particular. */
export const withoutGoal = (label: string, measured: string): Figure => ({ label, measured, goal: '–', isGood: null })

const MINUTE = 60_000
const OPEN = "SELECT count(*) AS n FROM positions WHERE status = 'open'"
const LATE = `SELECT c.created_at - c.closed_at AS late FROM position_closings c
  WHERE c.closed_at >= ?1 AND c.closed_at < ?2 AND NOT c.void ORDER BY 1`

/** A closing that is as young as this when the measurement ends may still be on its way. */
const ON_ITS_WAY = 45_000
/** How often is told how far the first reading is (seconds). */
const TOLD_EVERY = 20

/** Returns below which value 95 of 100 sorted values are. */
const findP95 = (sorted: readonly number[]): number => sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0

/** Returns how late deals were committed as closings (p95, in seconds), and of how many. */
function findLateness(firm: TerminalFirm, from: number, to: number): { p95: number; count: number } {
  const late = firm.rows<{ late: number }>(LATE, [from, to]).map((row) => row.late)
  return { p95: findP95(late) / 1000, count: late.length }
}

type Rounds = { gets: number; creates: number }
/** Gets and creates in turn for so long; calls `aside` around the gets, which write nothing themselves. */
async function loadInTurn(firm: TerminalFirm, seconds: number, aside: () => () => void): Promise<Rounds> {
  const rounds = Math.max(1, Math.round(seconds / 40))
  const gets: number[] = []
  const creates: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const end = aside()
    gets.push(await getOne(firm, seconds / rounds / 2))
    end()
    creates.push(await createOne(firm, seconds / rounds / 2))
  }
  return { gets: median(gets), creates: median(creates) }
}

/** How large a trading server is, and for how long is measured (seconds). */
type LargeShape = { accounts: number; positions: number; seconds: number }

/** Measures a server that reads a large trading server on the same cores. */
export async function measureLarge(
  scratch: string,
  shape: LargeShape,
  note: (text: string) => void,
): Promise<Figure[]> {
  const { accounts, positions, seconds } = shape
  const simulator = await startSimulator({ accounts, positions, deals: positions + accounts, pace: 2 })
  const firm = await TerminalFirm.found(scratch, 200)
  try {
    const quiet = await loadInTurn(firm, Math.min(seconds, 120), () => () => undefined)
    const before = residentMegabytes(firm.pid)
    const began = performance.now()
    let told = 0
    const first = watchServer(firm)
    await firm.connect('Sim-Live', simulator)
    await waitUntil(
      'the first reading',
      () => {
        const open = firm.number(OPEN)
        const passed = Math.round((performance.now() - began) / 1000)
        if (passed >= told + TOLD_EVERY) {
          told = passed
          note(`  ${open} of ${positions} positions after ${told} s`)
        }
        return open >= positions * 0.995
      },
      60 * MINUTE,
    )
    const loadSeconds = (performance.now() - began) / 1000
    const loaded = first()
    // the first prices and balances are written by then
    await Bun.sleep(Math.min(seconds * 1000, MINUTE))
    const from = Date.now()
    const steady = watchServer(firm)
    const log = { kilobytes: 0, seconds: 0 }
    const beside = await loadInTurn(firm, seconds, () => {
      const end = watchServer(firm)
      return () => {
        const { logKilobytes, seconds: during } = end()
        log.kilobytes += logKilobytes
        log.seconds += during
      }
    })
    const to = Date.now()
    const watched = steady()
    await Bun.sleep(ON_ITS_WAY)
    const { p95, count } = findLateness(firm, from, to)
    const getLimit = Math.max(1.5 * quiet.gets, 5)
    const createLimit = Math.max(2 * quiet.creates, 50)
    return [
      withoutGoal(`first reading of ${positions} open positions`, `${loadSeconds.toFixed(0)} s`),
      atMost(`deal to committed closing, p95 of ${count}`, p95, 30, 's'),
      atMost(`get one, 500/s, p99 (quiet ${quiet.gets.toFixed(2)} ms)`, beside.gets, getLimit, 'ms'),
      atMost(`create one, p99 (quiet ${quiet.creates.toFixed(1)} ms)`, beside.creates, createLimit, 'ms'),
      atMost('write-ahead log', log.kilobytes / log.seconds, 250, 'KB/s'),
      atMost(`memory of the server (${before.toFixed(0)} MB before) +`, watched.server - before, 64, 'MB'),
      withoutGoal('memory of the server in the first reading +', `${(loaded.server - before).toFixed(0)} MB`),
      atMost('memory of the child', Math.max(watched.child, loaded.child), 256, 'MB'),
    ]
  } finally {
    await firm.stop('SIGTERM')
    await simulator.stop()
  }
}

const LINKED = 20

/** Links clients to logins of the trading server, with money to send there. */
async function linkClients(firm: TerminalFirm): Promise<{ accountId: string; walletId: string }[]> {
  const clients = firm.rows<{ id: string }>('SELECT id FROM traders ORDER BY id LIMIT ?', [LINKED])
  const logins = (await firm.list('/v1/platforms/logins?limit=200')).filter(({ currency }) => currency === 'USD')
  const ends: { accountId: string; walletId: string }[] = []
  for (const [index, { id: traderId }] of clients.entries()) {
    const place = { platform: 'terminal5', server: 'Sim-Live', accountNumber: logins[index]?.login, currency: 'USD' }
    const note = 'a trial'
    const account = await firm.call('POST', '/v1/accounts', { traderId, ...place, note })
    const money = { traderId, currency: 'USD', amount: '100000', method: 'bank' }
    const deposit = await firm.call('POST', '/v1/deposits', money)
    await firm.call('POST', `/v1/deposits/${deposit.id}/settle`, {}, 'second')
    const [wallet] = await firm.list(`/v1/wallets?traderId=${traderId}`)
    ends.push({ accountId: String(account.id), walletId: wallet?.id ?? '' })
  }
  return ends
}

/** Sends transfers one after another, and returns how long each took from its request until it was booked (seconds). */
async function transfer(firm: TerminalFirm, ends: { accountId: string; walletId: string }[], until: number) {
  const taken: number[] = []
  for (let n = 0; performance.now() < until; n += 1) {
    const end = ends[n % ends.length]
    const began = performance.now()
    const ways = { fromWalletId: end?.walletId, toAccountId: end?.accountId, amount: '10.00' }
    const { id } = await firm.call('POST', '/v1/transfers', ways)
    const isBooked = (): boolean =>
      firm.rows<{ state: string }>('SELECT state FROM transfers WHERE id = ?', [String(id)])[0]?.state === 'booked'
    while (!isBooked()) {
      if (performance.now() - began > MINUTE) throw new Error(`transfer ${id} was not booked within a minute`)
      await Bun.sleep(20)
    }
    taken.push((performance.now() - began) / 1000)
    await Bun.sleep(500)
  }
  return taken.toSorted((one, other) => one - other)
}

/** Measures a small trading server, with money that moves. */
export async function measureSmall(scratch: string, seconds: number): Promise<Figure[]> {
  const shape = { accounts: 500, positions: 2000 }
  const simulator = await startSimulator({ ...shape, deals: 5000, pace: 2 })
  const firm = await TerminalFirm.found(scratch, LINKED)
  try {
    await firm.call('PUT', '/v1/approval-policies', { currency: 'USD', threshold: '100000000', minKycLevel: 0 })
    const path = await firm.connect('Sim-Live', simulator)
    await waitUntil('the first reading', () => firm.number(OPEN) >= shape.positions * 0.98, 10 * MINUTE)
    const ends = await linkClients(firm)
    await firm.call('PATCH', path, { money: true })
    await firm.confirm(path)
    // money may be sent once balances were read again
    await Bun.sleep(1.5 * MINUTE)
    const from = Date.now()
    const taken = await transfer(firm, ends, performance.now() + seconds * 1000)
    const to = Date.now()
    await Bun.sleep(ON_ITS_WAY)
    const { p95, count } = findLateness(firm, from, to)
    return [
      atMost(`small: deal to committed closing, p95 of ${count}`, p95, 15, 's'),
      atMost(`small: transfer from request to booked, p95 of ${taken.length}`, findP95(taken), 3, 's'),
    ]
  } finally {
    await firm.stop('SIGTERM')
    await simulator.stop()
  }
}

/** Measures a server without connections: its start, its memory when idle, and its children. */
export async function measureNone(small: Dataset, scratch: string, times: number): Promise<Figure[]> {
  const started = await startTime(small, scratch, times)
  const server = await startProduct(copyDataset(small, `${scratch}/none`))
  await Bun.sleep(3000)
  const figures = [
    atMost('no connection: start to first answer', started, 150, 'ms'),
    atMost('no connection: memory when idle', residentMegabytes(server.pid), 120, 'MB'),
    atMost('no connection: children', findChildren(server.pid).length, 0, 'processes'),
  ]
  await server.stop()
  return figures
}
