import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'

let app: TestApp
let firm: Firm
let count = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  count += 1
  firm = await app.firm(`lift${count}`)
})
afterAll(() => app.close())

const { client, ask, act, onlyThese, hitOn, onHit } = createDesk(() => ({ app, firm }))
const call = (as: Caller, method: string, path: string, body?: object) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const behind = <R>(run: Parameters<ReturnType<typeof systemCtx>['write']>[1]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.write', run) as Promise<R>
const patch = (as: Caller, traderId: string, body: object) => call(as, 'PATCH', `/v1/traders/${traderId}`, body)
const said = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const insertPapers = (traderId: string, handedBy: string | null = null) =>
  behind<string>((tx) => tx.insert(kycSubmissions, { traderId, level: 2, handedBy }).id)
const papers = (as: Caller, id: string, what: string, body: object = {}) =>
  call(as, 'POST', `/v1/kyc/submissions/${id}/${what}`, body)
const mails = (word: string) =>
  app.platform.reader.all<{ subject: string }>('SELECT subject FROM mails WHERE tenant_id = ? AND subject LIKE ?', [
    firm.tenantId,
    `%lifted%${word}%`,
  ]).length
describe('a hold and a suspension', () => {
  test.each([
    ['hold', { legalHold: true }, { legalHold: false }],
    ['suspension', { status: 'suspended' }, { status: 'active' }],
    ['closure', { status: 'closed' }, { status: 'active' }],
  ] as const)(
    'a block “%s” is lifted by another person, who is then involved; owners are mailed',
    async (word, stop, lift) => {
      const { manager, admin, owner, operator } = firm.as
      const traderId = await client('500')
      await patch(manager, traderId, stop)
      expect(said(await patch(manager, traderId, lift))).toEqual([409, 'second_person_needed'])
      // a key of theirs is refused too
      const key = await firm.key(['traders:write', 'holds:write'], 'manager')
      expect(said(await patch(key, traderId, lift))).toEqual([409, 'second_person_needed'])
      expect((await patch(admin, traderId, lift)).status).toBe(200)
      expect(mails(word === 'hold' ? 'hold' : 'suspension')).toBe(1)
      const { body } = await ask(traderId, '5', operator)
      const { review } = (await call(admin, 'GET', `/v1/withdrawals/${body.id}`)).body
      const access = review.checks.find(({ name }: { name: string }) => name === 'access')
      expect([access.state, access.text]).toEqual([
        'look_closer',
        expect.stringContaining(`admin of ${firm.slug} lifted`),
      ])
      expect(said(await act(body.id, 'approve', manager, {}))).toEqual([422, 'note_required'])
      // their vote is not enough, however small the amount is
      expect((await act(body.id, 'approve', admin)).body.status).toBe('requested')
      expect((await act(body.id, 'approve', owner)).body.status).toBe('approved')
    },
  )

  test('the person who lifted a hold cannot move the client’s money to another client', async () => {
    const [from, to] = [await client('500'), await client('5')]
    await patch(firm.as.manager, from, { legalHold: true })
    await patch(firm.as.admin, from, { legalHold: false })
    const findWalletId = async (id: string) =>
      (await call(firm.as.owner, 'GET', `/v1/wallets?traderId=${id}`)).body.data[0].id
    const gift = { fromWalletId: await findWalletId(from), toWalletId: await findWalletId(to), amount: '10' }
    expect(said(await call(firm.as.admin, 'POST', '/v1/transfers', gift))).toEqual([409, 'second_person_needed'])
    expect((await call(firm.as.owner, 'POST', '/v1/transfers', gift)).status).toBe(201)
  })

  test('a person may lift a hold again that another person has set since', async () => {
    const { manager, admin, owner } = firm.as
    const traderId = await client('5')
    await patch(manager, traderId, { legalHold: true })
    expect((await patch(admin, traderId, { legalHold: false })).status).toBe(200)
    await patch(owner, traderId, { legalHold: true })
    expect((await patch(admin, traderId, { legalHold: false })).status).toBe(200)
  })

  test('a merge keeps who set a hold, and the only person of a firm may lift a stop after 72 hours', async () => {
    const { owner, admin } = firm.as
    const [traderId, other] = [await client('5'), await client('5')]
    await patch(admin, other, { legalHold: true })
    const merged = await call(owner, 'POST', '/v1/admin/traders/merge', { primaryId: traderId, secondaryId: other })
    expect(merged.status).toBe(200)
    expect(said(await patch(admin, traderId, { legalHold: false }))).toEqual([409, 'second_person_needed'])
    await patch(owner, traderId, { status: 'suspended' })
    await onlyThese(owner)
    const waits = await patch(owner, traderId, { status: 'active' })
    expect(waits.body.detail).toContain('from 2026-')
    app.clock.advance(72 * HOUR)
    expect((await patch(owner, traderId, { status: 'active' })).status).toBe(200)
  })

  test('only a manager lowers a client’s risk, and any colleague raises it', async () => {
    const traderId = await firm.trader()
    expect((await patch(firm.as.operator, traderId, { riskLevel: 'high' })).status).toBe(200)
    expect(said(await patch(firm.as.operator, traderId, { riskLevel: 'low' }))).toEqual([403, 'traders.needs_manager'])
    expect((await patch(firm.as.manager, traderId, { riskLevel: 'low' })).status).toBe(200)
  })
})

describe('a confirmed match', () => {
  test('a confirmed match is cleared by two people, neither of whom confirmed it', async () => {
    const { manager, admin, owner } = firm.as
    const hit = await hitOn(await client('5'))
    expect((await onHit(manager, hit, 'confirm')).body.status).toBe('confirmed')
    expect(said(await onHit(manager, hit, 'clear'))).toEqual([409, 'second_person_needed'])
    firm.effects()
    const first = await onHit(admin, hit, 'clear')
    expect([first.status, first.body]).toMatchObject([202, { status: 'confirmed', firstWord: { by: admin.id } }])
    expect(firm.effects()).toEqual({ events: [], actions: ['sanctions.first_word'] })
    expect(said(await onHit(admin, hit, 'clear'))).toEqual([409, 'second_person_needed'])
    expect(said(await onHit(manager, hit, 'clear'))).toEqual([409, 'second_person_needed'])
    const second = await onHit(owner, hit, 'clear')
    expect([second.status, second.body]).toMatchObject([200, { status: 'cleared', firstWord: null }])
    expect(mails('match')).toBe(1)
  })

  test('a confirmed match is cleared in a firm of two by the other person first, in a firm of one after 72 hours twice', async () => {
    const { manager, owner } = firm.as
    await onlyThese(owner, manager, firm.as.operator)
    const hit = await hitOn(await client('5'))
    await onHit(owner, hit, 'confirm')
    expect((await onHit(manager, hit, 'clear')).status).toBe(202)
    expect((await onHit(owner, hit, 'clear')).body.status).toBe('cleared')
    await onHit(owner, hit, 'confirm')
    await onlyThese(owner)
    expect(said(await onHit(owner, hit, 'clear'))).toEqual([409, 'second_person_needed'])
    app.clock.advance(72 * HOUR)
    expect((await onHit(owner, hit, 'clear')).status).toBe(202)
    expect(said(await onHit(owner, hit, 'clear'))).toEqual([409, 'second_person_needed'])
    app.clock.advance(72 * HOUR)
    expect((await onHit(owner, hit, 'clear')).body.status).toBe('cleared')
  })
})

describe('identity documents', () => {
  test('whoever uploaded identity documents, or rejected the client’s earlier ones, cannot approve them', async () => {
    const { manager, admin } = firm.as
    const traderId = await firm.trader()
    const handed = await insertPapers(traderId, manager.id)
    expect(said(await papers(manager, handed, 'approve'))).toEqual([409, 'second_person_needed'])
    const bulk = { ids: [traderId] }
    const { results } = (await call(manager, 'POST', '/v1/admin/traders/bulk-approve-kyc', bulk)).body
    expect(results[0]).toMatchObject({ ok: false, code: 'second_person_needed' })
    await papers(admin, handed, 'reject', { detail: 'Forged.', kind: 'final' })
    const next = await insertPapers(traderId)
    expect(said(await papers(admin, next, 'approve'))).toEqual([409, 'second_person_needed'])
    expect((await papers(manager, next, 'approve')).body.status).toBe('approved')
    expect(mails('documents')).toBe(1)
  })

  test('documents wait again after a change of name, and no money leaves until another person decides', async () => {
    const { operator, manager, admin } = firm.as
    const traderId = await client('500')
    await papers(manager, await insertPapers(traderId), 'approve')
    const { body: asked } = await ask(traderId, '5', operator)
    firm.effects()
    const refused = await patch(operator, traderId, { firstName: 'Mark' })
    expect([...said(refused), refused.body.errors[0].path]).toEqual([403, 'traders.needs_manager', 'firstName'])
    const renamed = await patch(admin, traderId, { lastName: 'Mule', country: 'DE' })
    expect(renamed.body).toMatchObject({ lastName: 'Mule', kycStatus: 'requested', kycLevel: 2 })
    expect(firm.effects()).toEqual({
      events: ['kyc.requested', 'trader.updated'],
      actions: ['kyc.reopen', 'trader.update'],
    })
    expect(said(await act(asked.id, 'approve', manager))).toEqual([409, 'withdrawals.kyc_waits'])
    expect(said(await ask(traderId, '5', operator))).toEqual([409, 'withdrawals.kyc_waits'])
    const { data } = (await call(manager, 'GET', `/v1/kyc/submissions?traderId=${traderId}`)).body
    expect(data).toMatchObject([{ status: 'requested', level: 2 }])
    expect(said(await papers(admin, data[0].id, 'approve'))).toEqual([409, 'second_person_needed'])
    expect((await papers(manager, data[0].id, 'approve')).status).toBe(200)
    expect((await act(asked.id, 'approve', manager)).body.status).toBe('approved')
    // rejecting them removes the level that was granted to another identity
    await patch(admin, traderId, { dateOfBirth: '1980-01-01' })
    await papers(manager, data[0].id, 'reject', { detail: 'Send new ones.', kind: 'retry' })
    const { body: after } = await call(manager, 'GET', `/v1/traders/${traderId}`)
    expect(after).toMatchObject({ kycLevel: 0, kycStatus: 'rejected' })
  })

  test('documents do not wait again if none were approved', async () => {
    const traderId = await firm.trader({ kycLevel: 2 })
    expect((await patch(firm.as.operator, traderId, { firstName: 'Ann' })).body.kycStatus).toBe('none')
  })
})
