import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../platform/clock.ts'
import {
  ask,
  must,
  NO_LIMITS,
  PASSWORD,
  requireExecutable,
  sessionAfter,
  signIn,
  startFirm,
  startProcess,
} from './executable.ts'
import { numberOption } from './options.ts'
import { ageBrokers, vouchFor } from './vouch.ts'

/**
 * Sends requests of real clients to the built executable all at once. Of 50 approvals of one withdrawal, or of one
 * broker's payout, exactly one must succeed, and a thousand requests must never take more from a wallet than it has.
 * Usage: bun run races -- [--rounds 200]
 */
const ROUNDS = numberOption('rounds', 200)
const AT_ONCE = 50
/** The amount that a broker requests in a round: the least that a firm pays by default. */
const PAYOUT = 50

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-races-'))

type Call = (method: string, path: string, body: object) => ReturnType<typeof ask>
const done = async (answer: ReturnType<typeof ask>) => {
  const { status, json, text } = await answer
  must(status < 300, `${status} ${text}`)
  return json
}

/** Makes a broker who earns a dollar a lot, and a client of theirs with an account. */
async function foundBroker(call: Call) {
  const trader = async () =>
    String((await done(call('POST', '/v1/traders', { email: `b${Math.random()}@races.test` }))).id)
  const terms = { currency: 'USD', override: 'difference', maxLevels: 1, cap: '1' }
  const rules = [{ model: 'lot', symbols: ['*'], rate: '1' }]
  const plan = await done(call('POST', '/v1/commission-plans', { name: 'Races', ...terms, rules }))
  const [traderId, clientId] = [await trader(), await trader()]
  const { id } = await done(call('POST', '/v1/affiliates', { traderId, code: 'races' }))
  await done(call('PATCH', `/v1/affiliates/${id}`, { status: 'active', planId: plan.id }))
  await done(call('PATCH', `/v1/traders/${clientId}`, { affiliateId: id }))
  const accountNumber = '7001'
  await done(
    call('POST', '/v1/accounts', { traderId: clientId, platform: 'terminal5', currency: 'USD', accountNumber }),
  )
  return { id: String(id), traderId, accountNumber }
}

/**
 * Reports yesterday's trades of the broker's client, and makes the run that calculates the commission for all rounds.
 */
async function earn(call: Call, accountNumber: string): Promise<void> {
  const day = (offset: number) => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10)
  const positions = Array.from({ length: ROUNDS }, (_, n) => ({
    ticket: `r${n}`,
    accountNumber,
    symbol: 'EURUSD',
    side: 'long',
    volume: `${PAYOUT}`,
    spread: `${PAYOUT * 10}`,
    openPrice: '1.1',
    currentPrice: '1.1',
    profit: '0',
    openedAt: `${day(-1)}T10:00:00Z`,
    closedAt: `${day(-1)}T12:00:00Z`,
  }))
  const stream = { platform: 'terminal5', server: 'races', sequence: 1, mode: 'delta' }
  await done(call('POST', '/v1/positions/sync', { ...stream, positions }))
  const made = await done(call('POST', '/v1/affiliates/commissions/runs', { from: day(-1), to: day(0) }))
  for (let patience = 300; patience > 0; patience -= 1) {
    const { data } = await done(call('GET', '/v1/affiliates/commissions/runs', {}))
    const run = Array.isArray(data) ? data.find(({ id }) => id === made.id) : undefined
    if (run?.status === 'closed') return
    must(run?.status !== 'failed', `the run failed: ${JSON.stringify(run)}`)
    await Bun.sleep(100)
  }
  throw new Error('the commission run did not end within 30 s')
}

async function run(): Promise<void> {
  const started = await startFirm('races', { cwd, env: NO_LIMITS })
  let { server } = started
  const owner = { cookie: started.cookie, origin: server.url }
  const call = (method: string, path: string, body: object, headers: Record<string, string> = owner) =>
    // the port changes with the restart
    ask(server.url, method, path, {
      headers: { ...headers, origin: server.url },
      ...(method === 'GET' ? {} : { body }),
    })
  const invite = async (name: string) => {
    await call('POST', '/v1/users/invite', {
      email: `${name}@races.test`,
      displayName: name,
      roles: ['admin'],
      password: PASSWORD,
    })
    const headers = { cookie: await signIn(server.url, `${name}@races.test`, PASSWORD), origin: server.url }
    const changed = { currentPassword: PASSWORD, newPassword: PASSWORD }
    const renewed = await call('POST', '/v1/auth/change-password', changed, headers)
    return { ...headers, cookie: sessionAfter(renewed) }
  }
  const approvers = [await invite('one'), await invite('two'), await invite('three')]
  await call('PUT', '/v1/approval-policies', { currency: 'EUR', threshold: '1000000', minKycLevel: 0 })
  const broker = await foundBroker(call)
  // the firm has nobody to vouch for the three people, so this is written into the database of the stopped server
  await server.kill('SIGTERM')
  for (const name of ['one', 'two', 'three']) vouchFor(join(cwd, 'data'), `${name}@races.test`)
  ageBrokers(join(cwd, 'data'), 5 * DAY)
  server = await startProcess(['serve'], { cwd, env: NO_LIMITS })
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

  /** Lets all approvers approve one request at once, again and again; each time one of them must succeed. */
  const race = async (what: string, ask: (round: number) => Promise<string>): Promise<void> => {
    const seen: Record<number, number> = {}
    for (let round = 0; round < ROUNDS; round++) {
      const path = await ask(round)
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => call('POST', path, {}, approvers[n % approvers.length] ?? owner)),
      )
      for (const { status } of answers) seen[status] = (seen[status] ?? 0) + 1
      const successes = answers.filter(({ status }) => status === 200).length
      must(successes === 1, `${what}, round ${round}: ${successes} approvals succeeded, not one: ${answers[0]?.text}`)
    }
    must(seen[200] === ROUNDS && seen[409] === ROUNDS * (AT_ONCE - 1), `other answers came: ${JSON.stringify(seen)}`)
    process.stdout.write(
      `${what}: ${ROUNDS} × ${AT_ONCE} parallel approvals: ${seen[200]} succeeded, ${seen[409]} were told 409\n`,
    )
  }
  const rich = await client('100000')
  await race('withdrawals', async () => `/v1/withdrawals/${(await request(rich, '1')).json.id}/approve`)

  const payout = () =>
    call('POST', '/v1/affiliates/payouts', { affiliateId: broker.id, currency: 'USD', amount: `${PAYOUT}` })
  await earn(call, broker.accountNumber)
  await race('payouts', async () => `/v1/affiliates/payouts/${(await done(payout())).id}/approve`)
  const more = await payout()
  must(more.json.code === 'payouts.not_earned', `more than was earned is paid: ${more.text}`)
  const held = await ask(server.url, 'GET', `/v1/wallets?traderId=${broker.traderId}`, { headers: owner })
  const [purse] = Array.isArray(held.json.data) ? held.json.data : []
  must(Number(purse?.available) === ROUNDS * PAYOUT, `the broker was paid ${purse?.available}`)

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
  process.stdout.write('the ledger is zero\n3 passed, 0 failed\n')
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
rmSync(cwd, { recursive: true, force: true })
