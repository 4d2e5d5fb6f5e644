import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, requireExecutable, runCommand, startProcess } from './executable.ts'
import { vouchFor } from './vouch.ts'

/**
 * Real clients over HTTP against the built executable, all at once: of 50 approvals
 * of one withdrawal exactly one succeeds, and a thousand requests against one
 * wallet never take more than it holds. Usage: bun run races -- [--rounds 200]
 */
const index = process.argv.indexOf('--rounds')
const ROUNDS = index === -1 ? 200 : Number(process.argv[index + 1])
const AT_ONCE = 50

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-races-'))
const env = { BROKERBASE_RATE_SHORT: '0', BROKERBASE_RATE_MEDIUM: '0', BROKERBASE_RATE_LONG: '0' }

const must = (ok: boolean, what: string): void => {
  if (!ok) throw new Error(what)
}

async function run(): Promise<void> {
  await runCommand(['setup', '--tenant', 'Races', '--email', 'owner@races.test', '--password-stdin'], {
    cwd,
    stdin: 'races races races',
  })
  let server = await startProcess(['serve'], { cwd, env })
  const login = async (email: string) => {
    const answer = await ask(server.url, 'POST', '/v1/auth/login', { body: { email, password: 'races races races' } })
    return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '', origin: server.url }
  }
  const owner = await login('owner@races.test')
  const call = (method: string, path: string, body: object, headers: Record<string, string> = owner) =>
    // another port after the restart
    ask(server.url, method, path, { headers: { ...headers, origin: server.url }, body })
  const invite = async (name: string) => {
    await call('POST', '/v1/users/invite', {
      email: `${name}@races.test`,
      displayName: name,
      roles: ['manager'],
      password: 'races races races',
    })
    const headers = await login(`${name}@races.test`)
    const changed = { currentPassword: 'races races races', newPassword: 'races races races' }
    await call('POST', '/v1/auth/change-password', changed, headers)
    return headers
  }
  const approvers = [await invite('one'), await invite('two'), await invite('three')]
  await call('PUT', '/v1/approval-policies', { currency: 'EUR', threshold: '1000000', minKycLevel: 0 })
  // nobody is there to vouch for the three, so the database says it while the server stands still
  await server.kill('SIGTERM')
  for (const name of ['one', 'two', 'three']) vouchFor(join(cwd, 'data'), `${name}@races.test`)
  server = await startProcess(['serve'], { cwd, env })
  const client = async (amount: string) => {
    const trader = await call('POST', '/v1/traders', { email: `c${Math.random()}@races.test` })
    const deposit = await call('POST', '/v1/deposits', {
      traderId: trader.json.id,
      currency: 'EUR',
      amount,
      method: 'bank',
    })
    await call('POST', `/v1/deposits/${deposit.json.id}/settle`, {})
    return String(trader.json.id)
  }
  const request = (traderId: string, amount: string) =>
    call('POST', '/v1/withdrawals', {
      traderId,
      currency: 'EUR',
      amount,
      destination: { kind: 'bank', reference: traderId },
    })

  const rich = await client('100000')
  const seen: Record<number, number> = {}
  for (let round = 0; round < ROUNDS; round++) {
    const { json } = await request(rich, '1')
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        call('POST', `/v1/withdrawals/${json.id}/approve`, { note: 'race' }, approvers[n % approvers.length] ?? owner),
      ),
    )
    for (const { status } of answers) seen[status] = (seen[status] ?? 0) + 1
    must(
      answers.filter(({ status }) => status === 200).length === 1,
      `round ${round}: not exactly one approval succeeded`,
    )
  }
  must(seen[200] === ROUNDS && seen[409] === ROUNDS * (AT_ONCE - 1), `other answers came: ${JSON.stringify(seen)}`)
  process.stdout.write(
    `${ROUNDS} × ${AT_ONCE} parallel approvals: ${seen[200]} succeeded, ${seen[409]} were told 409\n`,
  )

  const poor = await client('100')
  const asked = await Promise.all(Array.from({ length: 1000 }, () => request(poor, '7')))
  const granted = asked.filter(({ status }) => status === 201).length
  const { json } = await ask(server.url, 'GET', `/v1/wallets?traderId=${poor}`, { headers: owner })
  must(granted === 14, `${granted} of 1,000 requests of 7.00 were granted against 100.00`)
  process.stdout.write(
    `1,000 parallel requests of 7.00 against 100.00: ${granted} granted; wallet ${JSON.stringify(json.data).slice(0, 200)}\n`,
  )
  const books = await ask(server.url, 'GET', '/v1/ledger/trial-balance', { headers: owner })
  must(books.json.balanced === true, 'the books do not balance')
  must((await server.kill('SIGTERM')) === 0, 'the server did not stop cleanly')
  process.stdout.write('the ledger is zero\n2 passed, 0 failed\n')
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
rmSync(cwd, { recursive: true, force: true })
