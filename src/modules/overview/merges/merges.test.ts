import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { createReader } from '../../../platform/db/reader.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { findLedgerFaults, readTrialBalance } from '../../books/wallets/ledger.queries.ts'
import type { Explanation } from '../../clients/sanctions/matcher.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import { clientActs } from '../../firm/independence/independence.table.ts'
import { purgeTraders } from '../privacy/erasure.jobs.ts'

let app: TestApp
let firm: Firm
let other: Firm
const { client, ask, act } = createDesk(() => ({ app, firm }))

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterEach(() => app.close())

const call = (method: string, path: string, body?: object, as: Caller = firm.as.owner) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const get = async (path: string, as?: Caller) => (await call('GET', path, undefined, as)).body
const merge = (primaryId: string, secondaryId: string, as: Caller = firm.as.admin, extra: object = {}) =>
  call('POST', '/v1/admin/traders/merge', { primaryId, secondaryId, ...extra }, as)
const behind = <R>(run: Parameters<ReturnType<typeof systemCtx>['write']>[1]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.write', run) as Promise<R>
const balanced = () => {
  const db = createReader(app.platform.reader, { tenantId: firm.tenantId, traderId: null })
  return { zero: readTrialBalance(db).balanced, faults: findLedgerFaults(db) }
}
const readWallet = async (traderId: string, currency = 'EUR') =>
  (await get(`/v1/wallets?traderId=${traderId}&currency=${currency}`)).data[0]

describe('merging two clients', () => {
  test('a merge moves everything, keeps the ledger balanced, and deletes the secondary for good', async () => {
    const [primary, secondary] = [await client(), await client()]
    await call('POST', '/v1/accounts', { traderId: secondary, platform: 'terminal5', currency: 'EUR' })
    await call('POST', '/v1/support/tickets', { traderId: secondary, subject: 'Help', body: 'It broke.' })
    await call('POST', `/v1/traders/${secondary}/notes`, { body: 'calls on Mondays' })
    await call('PATCH', `/v1/traders/${secondary}`, { segments: ['gold'], riskLevel: 'high', phone: '+4915112345678' })
    const asked = await ask(secondary, '100', firm.as.operator)
    expect(asked.status).toBe(200 + 1)
    const before = { mine: await readWallet(primary), theirs: await readWallet(secondary) }
    const preview = await merge(primary, secondary, firm.as.admin, { dryRun: true })
    expect(preview.body).toMatchObject({ id: null, dryRun: true, needsRole: 'admin' })
    expect(preview.body.wallets).toEqual([
      { currency: 'EUR', available: before.theirs.available, held: before.theirs.held },
    ])
    firm.effects()
    const { status, body } = await merge(primary, secondary)
    expect(status).toBe(200)
    expect({ ...body, id: null, dryRun: true }).toEqual(preview.body)
    expect(firm.effects().events).toEqual(['trader.deleted', 'trader.updated'])
    expect(balanced()).toEqual({ zero: true, faults: [] })
    const after = await readWallet(primary)
    expect(Number(after.available)).toBe(Number(before.mine.available) + Number(before.theirs.available))
    expect(Number(after.held)).toBe(100)
    expect(await readWallet(secondary)).toMatchObject({ available: '0.00', held: '0.00' })
    for (const path of ['accounts', 'deposits', 'withdrawals', 'support/tickets']) {
      expect((await get(`/v1/${path}?traderId=${secondary}`)).data).toEqual([])
      expect((await get(`/v1/${path}?traderId=${primary}`)).data.length).toBeGreaterThan(0)
    }
    expect(await get(`/v1/traders/${primary}`)).toMatchObject({ segments: ['gold'], riskLevel: 'high' })
    const gone = await get(`/v1/traders/${secondary}`)
    expect(gone).toMatchObject({ mergedInto: primary, deletedAt: expect.any(String) })
    expect((await call('POST', `/v1/traders/${secondary}/restore`)).body.code).toBe('traders.merged')
    const timeline = await get(`/v1/traders/${primary}/timeline?limit=200`)
    const actions = timeline.data.map((row: { action: string }) => row.action)
    expect(actions).toContain('trader.merge')
    // earlier acts on the other client are in the timeline too
    expect(actions).toContain('trader.note')
    // the withdrawal now uses the wallet that has its money
    await call('POST', `/v1/withdrawals/${asked.body.id}/reject`, { detail: 'no' })
    expect((await readWallet(primary)).held).toBe('0.00')
    expect(balanced()).toEqual({ zero: true, faults: [] })
  })

  test('a merge needs a manager, and an admin if there is money; a key counts as its maker', async () => {
    const [primary, secondary] = [await client(), await client()]
    // a manager may see what would happen, and who would have to do it
    const seen = await merge(primary, secondary, firm.as.manager, { dryRun: true })
    expect([seen.status, seen.body.needsRole]).toEqual([200, 'admin'])
    const refused = await merge(primary, secondary, firm.as.manager)
    expect([refused.status, refused.body.code]).toEqual([403, 'merges.needs_admin'])
    expect((await merge(primary, await firm.trader(), firm.as.manager)).status).toBe(200)
    expect((await merge(primary, await firm.trader(), firm.as.operator)).status).toBe(403)
    const key = await firm.key(['merges:write'], 'manager')
    expect((await merge(primary, secondary, key)).body.code).toBe('merges.needs_person')
    const ofAdmin = await firm.key(['merges:write'], 'admin')
    expect((await merge(primary, secondary, ofAdmin)).body.code).toBe('merges.needs_person')
    expect((await merge(primary, await firm.trader(), ofAdmin)).status).toBe(200)
  })

  test('a merge needs an admin for money on its way to a wallet, as for money in the wallet', async () => {
    const codes: string[] = []
    const tried = async (secondary: string) =>
      codes.push((await merge(await firm.trader(), secondary, firm.as.manager)).body.code)
    const announced = await firm.trader()
    const deposit = { traderId: announced, currency: 'EUR', amount: '10', method: 'bank' }
    await call('POST', '/v1/deposits', deposit, firm.as.operator)
    await tried(announced)
    const promised = await firm.trader()
    const credit = { traderId: promised, currency: 'EUR', direction: 'credit', amount: '5', reason: 'a promise' }
    await call('POST', '/v1/adjustments', credit, firm.as.owner)
    await tried(promised)
    const trading = await firm.trader()
    const account = { traderId: trading, platform: 'terminal5', currency: 'EUR' }
    const { body } = await call('POST', '/v1/accounts', account)
    await call('PATCH', `/v1/accounts/${body.id}`, { balance: '9' })
    await tried(trading)
    expect(codes).toEqual(['merges.needs_admin', 'merges.needs_admin', 'merges.needs_admin'])
  })

  test('a refused merge names what is wrong with the two clients', async () => {
    const [a, b] = [await firm.trader(), await firm.trader()]
    const path = async (primaryId: string, secondaryId: string) => {
      const { status, body } = await merge(primaryId, secondaryId)
      return [status, body.errors[0].path]
    }
    expect(await path(a, a)).toEqual([422, 'secondaryId'])
    expect(await path(a, await other.trader())).toEqual([422, 'secondaryId'])
    expect(await path('trd_nobody', b)).toEqual([422, 'primaryId'])
    await merge(a, b)
    expect(await path(a, b)).toEqual([422, 'secondaryId'])
  })

  test('a merge keeps the stricter hold, risk and suspension, and raises no KYC level', async () => {
    const [primary, secondary] = [await firm.trader({ kycLevel: 1 }), await firm.trader({ kycLevel: 3 })]
    await call('PATCH', `/v1/traders/${secondary}`, { legalHold: true, riskLevel: 'medium', status: 'suspended' })
    expect((await merge(primary, secondary)).body.lost).toContain('kycLevel')
    const merged = { legalHold: true, riskLevel: 'medium', status: 'suspended', kycLevel: 1 }
    expect(await get(`/v1/traders/${primary}`)).toMatchObject(merged)
    const told = "SELECT body FROM events WHERE event = 'trader.updated' ORDER BY position DESC"
    const { payload } = JSON.parse(app.platform.reader.get<{ body: string }>(told)?.body ?? '{}')
    expect(payload.changed.toSorted()).toEqual(['legalHold', 'riskLevel', 'status'])
    // a manager suspended the other client, so only a manager may reopen
    const { body } = await call('PATCH', `/v1/traders/${primary}`, { status: 'active' }, firm.as.operator)
    expect(body.code).toBe('traders.needs_manager')
  })

  test('a merge removes the secondary’s sign-in, and its address stays taken, even after erasure', async () => {
    const [primary, secondary] = [await firm.trader(), await firm.trader({ email: 'old@alpha.test' })]
    const session = await firm.traderSession(secondary)
    await behind((tx) => tx.insert(credentials, { traderId: secondary, passwordHash: 'x' }).id)
    await merge(primary, secondary)
    expect((await call('GET', '/v1/auth/me', undefined, session)).status).toBe(401)
    const taken = async () => (await call('POST', '/v1/traders', { email: 'OLD@alpha.test' })).body
    expect((await taken()).errors[0]).toMatchObject({ path: 'email', code: 'duplicate' })
    app.clock.advance(31 * DAY)
    await purgeTraders.run({ platform: app.platform, signal: new AbortController().signal })
    expect(await get(`/v1/traders/${secondary}`)).toMatchObject({ email: null, firstName: null })
    expect((await get(`/v1/traders/${primary}`)).firstName).toBe('Test')
    expect((await taken()).errors[0]).toMatchObject({ path: 'email', code: 'duplicate' })
    const moved = await call('PATCH', `/v1/traders/${await firm.trader()}`, { email: 'old@alpha.test' })
    expect([moved.status, moved.body.code]).toEqual([409, 'duplicate'])
    // the client may get the address back, and a lead with this address is this client
    const lead = await call('POST', '/v1/leads', { email: 'old@alpha.test' })
    const converted = await call('POST', `/v1/leads/${lead.body.id}/convert`)
    expect(converted.body).toMatchObject({ traderId: primary, created: false })
    expect((await call('PATCH', `/v1/traders/${primary}`, { email: 'old@alpha.test' })).status).toBe(200)
  })

  test('after two merges in a row the first merged client leads to the last one', async () => {
    const [a, b, c] = [await firm.trader(), await firm.trader({ email: 'b@alpha.test' }), await firm.trader()]
    await merge(b, a)
    await merge(c, b)
    expect((await get(`/v1/traders/${a}`)).mergedInto).toBe(c)
    expect((await call('POST', '/v1/traders', { email: 'trader1@alpha.test' })).status).toBe(409)
    expect(balanced()).toEqual({ zero: true, faults: [] })
  })
})

describe('what both clients have', () => {
  test('of two waiting submissions, a merge keeps that of the primary client', async () => {
    const [primary, secondary] = [await firm.trader(), await firm.trader()]
    const submit = async (traderId: string) => {
      const upload = await call('POST', '/v1/kyc/documents/upload', {
        traderId,
        contentType: 'image/png',
        fileSize: PNG.byteLength,
      })
      await app.call('PUT', upload.body.uploadUrl, {
        raw: new Uint8Array(PNG),
        headers: { 'content-type': 'image/png' },
      })
      const { key } = upload.body
      const document = await call('POST', '/v1/kyc/documents/confirm', { key, kind: 'passport', traderId })
      const body = { traderId, level: 1, documentIds: [document.body.id] }
      return (await call('POST', '/v1/kyc/submissions', body)).body.id as string
    }
    const [mine, theirs] = [await submit(primary), await submit(secondary)]
    firm.effects()
    const { body } = await merge(primary, secondary)
    expect(body.collisions).toEqual([{ kind: 'kyc_submission', count: 1 }])
    expect(firm.effects().events).toEqual(['kyc.rejected', 'trader.deleted'])
    expect((await get(`/v1/kyc/submissions/${mine}`)).status).toBe('requested')
    const closed = await get(`/v1/kyc/submissions/${theirs}`)
    expect(closed).toMatchObject({ status: 'rejected', rejectionKind: 'retry', traderId: primary })
    const { documents } = closed
    expect((await call('GET', `/v1/kyc/documents/${documents[0].id}/file`)).status).toBe(200)
  })

  test('a merge joins equal hits, with the stricter decision', async () => {
    const [primary, secondary] = [await firm.trader(), await firm.trader()]
    const explanation: Explanation = { listedAs: 'X', nameScore: 90, words: [], birth: 'unknown', country: 'unknown' }
    const facts = { source: 'un', name: 'X', score: 90, listHash: 'h', explanation } as const
    const hit = (traderId: string, reference: string, status: 'open' | 'cleared' | 'confirmed') =>
      behind((tx) => tx.insert(sanctionsHits, { ...facts, traderId, reference, status, reason: status }).id)
    await hit(primary, 'R1', 'cleared')
    await hit(secondary, 'R1', 'confirmed')
    await hit(primary, 'R2', 'open')
    await hit(secondary, 'R2', 'cleared')
    await hit(secondary, 'R3', 'open')
    const { body } = await merge(primary, secondary)
    expect(body.collisions).toEqual([{ kind: 'sanctions_hit', count: 2 }])
    const { data } = await get(`/v1/sanctions/hits?traderId=${primary}`)
    const found = Object.fromEntries(
      data.map((row: { reference: string; status: string }) => [row.reference, row.status]),
    )
    expect(found).toEqual({ R1: 'confirmed', R2: 'open', R3: 'open' })
  })

  test('a merge joins equal destinations, with their withdrawals', async () => {
    const [primary, secondary] = [await client(), await client()]
    const destination = { kind: 'bank', reference: 'DE89370400440532013000', holder: 'Test Trader' }
    const asking = (traderId: string, reference = destination.reference) =>
      call(
        'POST',
        '/v1/withdrawals',
        { traderId, currency: 'EUR', amount: '10', destination: { ...destination, reference } },
        firm.as.operator,
      )
    const [mine, theirs] = [await asking(primary), await asking(secondary)]
    await asking(secondary, 'GB29NWBK60161331926819')
    const { body } = await merge(primary, secondary)
    expect(body.collisions).toEqual([{ kind: 'payout_destination', count: 1 }])
    const [one, two] = [await get(`/v1/withdrawals/${mine.body.id}`), await get(`/v1/withdrawals/${theirs.body.id}`)]
    expect(two.destination.id).toBe(one.destination.id)
    expect(two.traderId).toBe(primary)
  })

  test('a merge keeps an alias that both clients have once', async () => {
    const phone = '+4915112345678'
    const [a, b, c, d] = [await firm.trader(), await firm.trader(), await firm.trader(), await firm.trader()]
    for (const id of [b, d]) await call('PATCH', `/v1/traders/${id}`, { phone })
    await merge(a, b)
    await merge(c, d)
    expect((await merge(a, c)).status).toBe(200)
  })
})

describe('after a merge', () => {
  test('after a merge open operations use the wallet with their money: a transfer on its way, a waiting adjustment', async () => {
    const [primary, secondary] = [await client(), await client()]
    await call('PATCH', '/v1/tenants/current', { platformAcknowledges: true })
    const account = { traderId: secondary, platform: 'terminal5', currency: 'EUR', accountNumber: '4711' }
    const { id: toAccountId } = (await call('POST', '/v1/accounts', account)).body
    const { id: fromWalletId } = await readWallet(secondary)
    const sent = await call('POST', '/v1/transfers', { fromWalletId, toAccountId, amount: '70' }, firm.as.operator)
    expect(sent.body.state).toBe('sent')
    const asked = await call(
      'POST',
      '/v1/adjustments',
      { traderId: secondary, currency: 'EUR', direction: 'credit', amount: '5', reason: 'goodwill' },
      firm.as.manager,
    )
    await merge(primary, secondary)
    const before = await readWallet(primary)
    const refused = { state: 'refused', reason: 'unknown account' }
    expect((await call('POST', `/v1/transfers/${sent.body.id}/acknowledge`, refused, firm.as.manager)).status).toBe(200)
    expect((await call('POST', `/v1/adjustments/${asked.body.id}/approve`, {})).status).toBe(200)
    const after = await readWallet(primary)
    expect(Number(after.available) - Number(before.available)).toBe(75)
    expect(await readWallet(secondary)).toMatchObject({ available: '0.00', held: '0.00' })
    expect(balanced()).toEqual({ zero: true, faults: [] })
  })

  test('after a merge no money comes to the wallet of the merged client', async () => {
    const [primary, secondary, third] = [await client(), await client(), await client()]
    const { id: toWalletId } = await readWallet(secondary)
    await merge(primary, secondary)
    const { id: fromWalletId } = await readWallet(third)
    const gift = await call('POST', '/v1/transfers', { fromWalletId, toWalletId, amount: '10' }, firm.as.manager)
    expect(gift.status).toBeGreaterThanOrEqual(400)
    const deposit = { traderId: secondary, currency: 'EUR', amount: '1', method: 'bank' }
    expect((await call('POST', '/v1/deposits', deposit)).status).toBe(422)
    expect((await readWallet(secondary)).available).toBe('0.00')
  })

  test('after a merge the remaining client is found by the address of the merged one', async () => {
    const [primary, secondary] = [await firm.trader(), await firm.trader({ email: 'before@alpha.test' })]
    await merge(primary, secondary)
    const { data } = await get('/v1/traders?q=before@alpha.test')
    expect(data.map((row: { id: string }) => row.id)).toEqual([primary])
    expect((await get('/v1/traders?q=before@alpha.test', other.as.owner)).data).toEqual([])
  })
})

describe('two people after a merge', () => {
  test('a merge notes that the person who made it brought money and linked accounts', async () => {
    const [primary, secondary] = [await client(), await client()]
    await call('POST', '/v1/accounts', { traderId: secondary, platform: 'terminal5', currency: 'EUR' })
    firm.effects()
    await merge(primary, secondary)
    const acts = createReader(app.platform.reader, { tenantId: firm.tenantId, traderId: null })
      .list(clientActs, { traderId: primary, userId: firm.as.admin.id })
      .map(({ act: what }) => what)
    expect(acts.toSorted()).toEqual(['linked_account', 'merged', 'transfer'])
  })

  test('a merge voids earlier approvals, and the person who merged approves nothing for 72 hours', async () => {
    const [primary, secondary] = [await client(), await client()]
    const [mine, theirs] = [await ask(primary, '10', firm.as.operator), await ask(secondary, '20', firm.as.operator)]
    for (const { body } of [mine, theirs])
      expect((await act(body.id, 'approve', firm.as.manager)).body.status).toBe('approved')
    expect((await merge(primary, secondary)).body.collisions).toContainEqual({ kind: 'approval', count: 2 })
    for (const { body } of [mine, theirs]) {
      const row = await get(`/v1/withdrawals/${body.id}`)
      expect([row.status, row.lapsedAt]).toEqual(['requested', expect.any(String)])
      expect((await act(body.id, 'approve', firm.as.admin)).body.code).toBe('merges.lately')
    }
    expect((await act(theirs.body.id, 'approve', firm.as.manager)).body.status).toBe('approved')
    app.clock.advance(72 * HOUR - 1)
    expect((await act(mine.body.id, 'approve', firm.as.admin)).body.code).toBe('merges.lately')
    app.clock.advance(1)
    expect((await act(mine.body.id, 'approve', firm.as.admin)).body.code).not.toBe('merges.lately')
  })

  test('the person who merged is noted for the last client of several merges, even for one without money', async () => {
    const [first, second, third] = [await client(), await firm.trader(), await client()]
    await merge(second, first)
    await merge(third, second, firm.as.owner)
    const { body } = await ask(third, '10', firm.as.operator)
    expect((await act(body.id, 'approve', firm.as.admin)).body.code).toBe('merges.lately')
    const [empty, target] = [await firm.trader(), await firm.trader()]
    await merge(target, empty, firm.as.manager)
    const acts = createReader(app.platform.reader, { tenantId: firm.tenantId, traderId: null })
    expect(acts.list(clientActs, { traderId: target, act: 'transfer' })).toMatchObject([{ userId: firm.as.manager.id }])
  })

  test('a destination of the merged client counts as new', async () => {
    const [primary, secondary] = [await client(), await client()]
    const { body } = await ask(secondary, '10', firm.as.operator)
    app.clock.advance(60 * DAY)
    await merge(primary, secondary)
    const { review } = await get(`/v1/withdrawals/${body.id}`)
    const age = review.checks.find(({ name }: { name: string }) => name === 'destination_age')
    expect(age.text).toMatch(/less than an hour ago$/)
  })

  test('a person who could have acted as the merged client approves nothing for the remaining one', async () => {
    const [primary, secondary] = [await client(), await client()]
    // the manager changes the address of one client, and so could sign in as that client
    await call('PATCH', `/v1/traders/${secondary}`, { email: 'mine@alpha.test' }, firm.as.manager)
    const { body } = await ask(primary, '10', firm.as.operator)
    await merge(primary, secondary)
    const approved = () => act(body.id, 'approve', firm.as.manager)
    expect(await approved()).toMatchObject({ status: 403, body: { code: 'merges.lately' } })
    app.clock.advance(72 * HOUR)
    expect(await approved()).toMatchObject({ status: 403, body: { code: 'own_client' } })
  })
})

test('a merge of thousands of rows, with writes to both clients meanwhile, loses and doubles nothing', async () => {
  const [primary, secondary] = [await client(), await client()]
  const each = 600
  const announce = (traderId: string, n: number) =>
    call('POST', '/v1/deposits', { traderId, currency: 'EUR', amount: `${1 + n}`, method: 'bank' }, firm.as.operator)
  await Promise.all(
    Array.from({ length: each }, (_, n) => n).flatMap((n) => [announce(primary, n), announce(secondary, n)]),
  )
  const before = await readWallet(primary)
  const theirs = await readWallet(secondary)
  const during = Array.from({ length: 40 }, (_, n) => announce(n % 2 ? primary : secondary, n))
  const merging = merge(primary, secondary)
  const after = Array.from({ length: 40 }, (_, n) => announce(n % 2 ? primary : secondary, n))
  const [{ status }, ...answers] = await Promise.all([merging, ...during, ...after])
  expect(status).toBe(200)
  const made = answers.filter((answer) => answer.status === 201).length
  // a deposit after the merge is refused, since its client is gone
  expect(answers.filter((answer) => answer.status !== 201).every((answer) => answer.status === 422)).toBe(true)
  const count = (traderId: string) => get(`/v1/deposits?traderId=${traderId}&count=true&limit=1`)
  expect((await count(secondary)).total).toBe(0)
  // each client had one more deposit, which gave them money
  expect((await count(primary)).total).toBe(2 * each + 2 + made)
  expect(Number((await readWallet(primary)).available)).toBe(Number(before.available) + Number(theirs.available))
  expect(balanced()).toEqual({ zero: true, faults: [] })
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
