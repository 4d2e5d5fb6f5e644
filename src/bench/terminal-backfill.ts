import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PIECE } from '../modules/terminals/reading/read-deals.ts'
import { openReader, openWriter, type SqlValue } from '../platform/sqlite.ts'
import { median } from './rounds.ts'
import { atMost, type Figure, withoutGoal } from './terminal.ts'
import { startSimulator, TerminalFirm } from './terminal-firm.ts'
import { createOne, getOne } from './terminal-watch.ts'

const DAY = 86_400_000
/** The past of a simulated server is a year long, and deals are read from this long ago on. */
const PAST = 365
const READ = 335
const KILLS = 5
const LOAD_SECONDS = 5
const GIVEN_UP = 3_600_000

const KEPT = ['terminal_deals', 'positions', 'position_closings', 'events'] as const

/** Inserts the rows of the same tables into an empty database with the same indexes; returns how long that took (s). */
function insertBare(source: string, target: string, transactions: number): number {
  for (const end of ['', '-wal', '-shm']) rmSync(target + end, { force: true })
  const [from, to] = [openReader(source), openWriter(target)]
  // there are no tables that rows point at
  to.raw.run('PRAGMA foreign_keys = 0')
  let taken = 0
  const shapes = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index')
    AND tbl_name = ? ORDER BY type DESC`
  for (const table of KEPT) {
    for (const { sql } of from.all<{ sql: string }>(shapes, [table])) to.raw.run(sql)
    const [count] = from.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)
    const size = Math.max(1, Math.ceil((count?.n ?? 0) / transactions))
    const insert = (piece: SqlValue[][]): void => {
      const began = performance.now()
      to.exec('BEGIN IMMEDIATE')
      const marks = piece[0]?.map(() => '?').join()
      for (const row of piece) to.run(`INSERT INTO ${table} VALUES (${marks})`, row)
      to.exec('COMMIT')
      taken += performance.now() - began
    }
    let piece: SqlValue[][] = []
    for (const row of from.raw.prepare<Record<string, SqlValue>, []>(`SELECT * FROM ${table}`).iterate()) {
      piece.push(Object.values(row))
      if (piece.length < size) continue
      insert(piece)
      piece = []
    }
    if (piece.length > 0) insert(piece)
  }
  from.close()
  to.close()
  return taken / 1000
}

const PAGES = 'SELECT page_count - freelist_count AS n FROM pragma_page_count, pragma_freelist_count'
const UNTIL = 'SELECT deals_until AS n FROM terminal_health'
const LOADED = 'SELECT avg(loaded_until > 0) AS n FROM terminal_logins'

/** Reads all deals while others work; the server is killed five times. Returns how long it read, and p99s (ms). */
async function readAll(firm: TerminalFirm, note: (text: string) => void) {
  const [began, now] = [performance.now(), Date.now()]
  const gets: number[] = []
  const creates: number[] = []
  let [kills, down] = [0, 0]
  for (;;) {
    const get = await getOne(firm, LOAD_SECONDS)
    const create = await createOne(firm, LOAD_SECONDS)
    const part = firm.number(LOADED)
    note(`  ${(part * 100).toFixed(0)} % of the logins read, ${kills} kills`)
    const isOver = firm.number(UNTIL) >= now
    // what was measured after the end is of no interest, unless there is nothing else
    if (!isOver || gets.length === 0) {
      gets.push(get)
      creates.push(create)
    }
    const seconds = (performance.now() - began) / 1000 - down
    if (isOver) return { seconds, gets: median(gets), creates: median(creates), kills }
    if (performance.now() - began > GIVEN_UP) throw new Error('the deals were not read within an hour')
    if (part < (kills + 1) / (KILLS + 1) || kills === KILLS) continue
    const killed = performance.now()
    await firm.stop('SIGKILL')
    await firm.start()
    kills += 1
    down += (performance.now() - killed) / 1000
  }
}

/** Finds deals that are missing or twice, and events and commissions of before. The numbers of deals have no gaps. */
function findWrong(firm: TerminalFirm, since: number): string {
  const [deals] = firm.rows<{ n: number; numbers: number; first: number; last: number }>(
    `SELECT count(*) AS n, count(DISTINCT number) AS numbers, min(CAST(number AS INTEGER)) AS first,
       max(CAST(number AS INTEGER)) AS last FROM terminal_deals WHERE at >= ?`,
    [since],
  )
  if (deals === undefined || deals.n === 0) return 'no deals'
  const missing = deals.last - deals.first + 1 - deals.numbers
  const twice = deals.n - deals.numbers
  const early = firm.rows<{ event: string; n: number }>(
    `SELECT event, count(*) AS n FROM events WHERE event LIKE 'position.%' AND event <> 'position.updated'
       AND coalesce(json_extract(body, '$.payload.closedAt'), json_extract(body, '$.payload.openedAt')) < ?
       GROUP BY event`,
    [new Date(since).toISOString()],
  )
  // what is only assumed earns no commission
  const earning = firm.number('SELECT count(*) AS n FROM position_closings WHERE closed_at < ? AND NOT assumed', [
    since,
  ])
  return [
    missing > 0 && `${missing} missing`,
    twice > 0 && `${twice} twice`,
    ...early.map(({ event, n }) => `${n} early ${event}`),
    earning > 0 && `${earning} early closings that earn commission`,
  ]
    .filter((text) => text !== false)
    .join(', ')
}

/** Measures the first reading of so many deals. */
export async function measureBackfill(
  scratch: string,
  wanted: number,
  note: (text: string) => void,
): Promise<Figure[]> {
  const deals = Math.round((wanted * PAST) / READ)
  const simulator = await startSimulator({ accounts: Math.ceil(deals / 100), positions: 2000, deals, pace: 0 })
  const firm = await TerminalFirm.found(scratch, 200)
  try {
    const pages = firm.number(PAGES)
    const since = Date.now() - READ * DAY
    await firm.connect('Sim-Live', simulator, { since: new Date(since).toISOString() })
    const { seconds, gets, creates, kills } = await readAll(firm, note)
    await firm.stop('SIGTERM')
    const count = firm.number('SELECT count(*) AS n FROM terminal_deals')
    const bytes = ((firm.number(PAGES) - pages) * 4096) / count
    const wrong = findWrong(firm, since)
    const bare = insertBare(join(firm.directory, 'brokerbase.db'), join(scratch, 'bare.db'), Math.ceil(count / PIECE))
    const ratio = bare / seconds
    return [
      atMost(`first reading of ${count} deals`, seconds, Math.max(1, (600 * wanted) / 1_000_000), 's'),
      {
        label: `the same as bare inserts (${bare.toFixed(1)} s)`,
        measured: `ratio ${ratio.toFixed(2)}`,
        goal: '≥ 0.30',
        isGood: ratio >= 0.3,
      },
      atMost('database for each deal', bytes / 1000, 1.5, 'KB'),
      { label: `after ${kills} kills`, measured: wrong || 'each deal once', goal: 'each once', isGood: wrong === '' },
      atMost('get one meanwhile, p99', gets, 25, 'ms'),
      atMost('create one meanwhile, p99', creates, 60, 'ms'),
      withoutGoal(
        'rows',
        KEPT.map((table) => `${firm.number(`SELECT count(*) AS n FROM ${table}`)} ${table}`).join(', '),
      ),
    ]
  } finally {
    await firm.stop('SIGTERM')
    await simulator.stop()
  }
}
