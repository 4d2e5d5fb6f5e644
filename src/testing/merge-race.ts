import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReader } from '../platform/sqlite.ts'
import { ask, must, NO_LIMITS, requireExecutable, startFirm } from './executable.ts'

/**
 * Merges clients of 5,000 rows each in the built executable while real clients write to both. Every acknowledged write
 * must be there once, the books must sum to zero, and no other request may wait long. Usage: bun run races -- [--pairs
 * 5]
 */
const index = process.argv.indexOf('--pairs')
const PAIRS = index === -1 ? 5 : Number(process.argv[index + 1])
const EACH = { deposits: 2000, tickets: 1500, trader_notes: 1500 }
const AT_ONCE = 50
const LONGEST_MS = 100

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-merge-'))

async function run(): Promise<void> {
  const { server, cookie } = await startFirm('merge', { cwd, env: NO_LIMITS })
  const headers = { cookie, origin: server.url }
  const call = (method: string, path: string, body?: object) =>
    ask(server.url, method, path, { headers, ...(body ? { body } : {}) })
  const money = (traderId: string) => ({ traderId, currency: 'EUR', amount: '12.5', method: 'bank' })
  const made: Record<keyof typeof EACH, (traderId: string) => ReturnType<typeof ask>> = {
    deposits: (traderId) => call('POST', '/v1/deposits', money(traderId)),
    tickets: (traderId) => call('POST', '/v1/support/tickets', { traderId, subject: 'Late', body: 'Where is it?' }),
    trader_notes: (traderId) => call('POST', `/v1/traders/${traderId}/notes`, { body: 'Called.' }),
  }
  const kinds = ['deposits', 'tickets', 'trader_notes'] as const
  const client = async (): Promise<string> => {
    const { json } = await call('POST', '/v1/traders', { email: `m${Math.random()}@merge.test` })
    const first = await made.deposits(String(json.id))
    const settled = await call('POST', `/v1/deposits/${first.json.id}/settle`, {})
    must(settled.status === 200, `a deposit was not settled: ${settled.text}`)
    return String(json.id)
  }
  const fill = async (traderId: string): Promise<void> => {
    for (const kind of kinds)
      for (let n = 0; n < EACH[kind]; n += AT_ONCE) {
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => made[kind](traderId)))
        const refused = answers.find(({ status }) => status !== 201)
        must(refused === undefined, `${kind}: ${refused?.text}`)
      }
  }
  await call('PUT', '/v1/approval-policies', { currency: 'EUR', threshold: '1000000', minKycLevel: 0 })
  const bystander = await client()
  const waits: number[] = []
  const took: number[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [primaryId, secondaryId] = [await client(), await client()]
    await Promise.all([fill(primaryId), fill(secondaryId)])
    let going = true
    let merging = false
    const acknowledged = { deposits: 0, tickets: 0, trader_notes: 0 }
    /** Writes to both clients, one request after the other, until shortly after the end of the merge. */
    const writer = async (number: number): Promise<void> => {
      for (let n = number; going; n += 1) {
        const kind = kinds[n % 3] ?? 'deposits'
        const { status, text } = await made[kind](n % 2 === 0 ? primaryId : secondaryId)
        if (status === 201) acknowledged[kind] += 1
        else must(status === 404 || status === 422, `${kind} during the merge: ${status} ${text}`)
      }
    }
    const other = async (): Promise<void> => {
      while (going) {
        const from = performance.now()
        const started = merging
        await (Math.random() < 0.5 ? call('GET', `/v1/traders/${bystander}`) : made.trader_notes(bystander))
        if (started || merging) waits.push(performance.now() - from)
      }
    }
    const work = [...Array.from({ length: 8 }, (_, n) => writer(n)), ...Array.from({ length: 4 }, other)]
    await Bun.sleep(200)
    merging = true
    const from = performance.now()
    const merged = await call('POST', '/v1/admin/traders/merge', { primaryId, secondaryId })
    took.push(performance.now() - from)
    merging = false
    await Bun.sleep(200)
    going = false
    await Promise.all(work)
    must(merged.status === 200, `the merge answered ${merged.status}: ${merged.text}`)
    const reader = openReader(join(cwd, 'data', 'brokerbase.db'))
    for (const kind of kinds) {
      const count = (of: string): number =>
        reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${kind} WHERE trader_id = ?`, [of])?.n ?? 0
      const wanted = 2 * EACH[kind] + acknowledged[kind] + (kind === 'deposits' ? 2 : 0)
      must(count(secondaryId) === 0, `${count(secondaryId)} ${kind} stayed behind`)
      must(count(primaryId) === wanted, `${count(primaryId)} ${kind}, not ${wanted}`)
    }
    reader.close()
    const { json } = await call('GET', `/v1/wallets?traderId=${primaryId}`)
    const [wallet] = Array.isArray(json.data) ? json.data : []
    must(wallet?.available === '25.00', `the wallet holds ${JSON.stringify(json)}`)
  }
  const books = await call('GET', '/v1/ledger/trial-balance')
  must(books.json.balanced === true, 'the books do not balance')
  must((await server.kill('SIGTERM')) === 0, 'the server did not stop cleanly')
  waits.sort((a, b) => a - b)
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? 0
  const rows = kinds.reduce((sum, kind) => sum + EACH[kind], 0)
  process.stdout.write(
    `${PAIRS} merges of ${rows} + ${rows} rows under writes to both: ${Math.round(Math.max(...took))} ms at most, nothing lost or ` +
      `doubled, the ledger is zero; p99 of ${waits.length} other requests ${p99.toFixed(0)} ms (≤ ${LONGEST_MS})\n1 passed, 0 failed\n`,
  )
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
rmSync(cwd, { recursive: true, force: true })
process.exit()
