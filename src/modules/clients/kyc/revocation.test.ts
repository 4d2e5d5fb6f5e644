import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'

// the smallest valid PNG: one pixel
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const NEUTRAL = 'Your verification is no longer valid. Please contact us.'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const { ask, act } = createDesk(() => ({ app, firm }))
const post = (path: string, body: object, as: Caller = firm.as.operator) => app.call('POST', path, { as, body })
const submit = async (traderId: string, level: number): Promise<string> => {
  const about = { traderId, contentType: 'image/png', fileSize: PNG.byteLength }
  const { body: upload } = await post('/v1/kyc/documents/upload', about)
  await app.call('PUT', upload.uploadUrl, { raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } })
  const { body: document } = await post('/v1/kyc/documents/confirm', { key: upload.key, kind: 'passport' })
  const { body } = await post('/v1/kyc/submissions', { traderId, level, documentIds: [document.id] })
  return body.id
}
const decide = (id: string, what: string, body: object = {}, as: Caller = firm.as.manager) =>
  post(`/v1/kyc/submissions/${id}/${what}`, body, as)
const approved = async (traderId: string, level: number): Promise<string> => {
  const id = await submit(traderId, level)
  expect((await decide(id, 'approve')).status).toBe(200)
  firm.effects()
  return id
}
const trader = async (id: string) => (await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })).body
const payloads = (event: string, count: number) =>
  app.platform.reader
    .all<{ body: string }>('SELECT body FROM events WHERE event = ? ORDER BY position DESC LIMIT ?', [event, count])
    .map(({ body }) => ({ payload: JSON.parse(body).payload, body }))
const funded = async (): Promise<string> => {
  const traderId = await firm.trader()
  const { body } = await post('/v1/deposits', { traderId, currency: 'EUR', amount: '100', method: 'bank' })
  await post(`/v1/deposits/${body.id}/settle`, {}, firm.as.manager)
  return traderId
}

describe('an approval that is revoked', () => {
  test('a revoked approval lowers the level to the highest still approved, with events; only staff see the reason', async () => {
    const traderId = await firm.trader()
    const low = await approved(traderId, 1)
    const high = await approved(traderId, 3)
    const answer = await decide(high, 'revoke', { reason: 'the registry says stolen' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'rejected', rejectionKind: 'retry', rejectionDetail: NEUTRAL })
    expect(firm.effects()).toEqual({
      events: ['kyc.rejected', 'trader.updated'],
      actions: ['kyc.revoke', 'kyc.revoke'],
    })
    const [event] = payloads('kyc.rejected', 1)
    expect(event?.payload).toMatchObject({ submissionId: high, traderId, level: 3, detail: NEUTRAL })
    expect(event?.body).not.toContain('stolen')
    expect(payloads('trader.updated', 1)[0]?.payload).toMatchObject({ kycLevel: 1, changed: ['kycLevel'] })
    expect(await trader(traderId)).toMatchObject({ kycLevel: 1, kycStatus: 'approved' })
    const { staff } = (await app.call('GET', `/v1/kyc/submissions/${high}`, { as: firm.as.viewer })).body
    expect(staff).toMatchObject({ rejectionCode: 'revoked', rejectionNote: 'the registry says stolen' })

    const own = await decide(low, 'revoke', { reason: 'x', detail: 'Please send a new passport.' })
    expect(own.body.rejectionDetail).toBe('Please send a new passport.')
    expect(payloads('kyc.rejected', 1)[0]?.payload.detail).toBe('Please send a new passport.')
    expect(await trader(traderId)).toMatchObject({ kycLevel: 0, kycStatus: 'rejected' })
    firm.effects()
  })

  test('a revoked approval blocks open withdrawals, at approval and at payment', async () => {
    const traderId = await funded()
    const id = await approved(traderId, 2)
    const [waiting, agreed] = [await ask(traderId, '10'), await ask(traderId, '20')]
    expect((await act(agreed.body.id, 'approve', firm.as.manager)).status).toBe(200)
    await decide(id, 'revoke', { reason: 'x' })
    for (const answer of [
      await act(waiting.body.id, 'approve', firm.as.manager),
      await act(agreed.body.id, 'pay', firm.as.manager, { paymentReference: 'W' }),
      await ask(traderId, '1'),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'withdrawals.kyc_too_low'])
  })

  test('an approval is revoked by a manager, once, in the version that was seen', async () => {
    const traderId = await firm.trader()
    const id = await submit(traderId, 2)
    expect((await decide(id, 'revoke', { reason: 'x' })).status).toBe(409)
    await decide(id, 'approve')
    firm.effects()
    expect((await decide(id, 'revoke', { reason: 'x' }, firm.as.operator)).status).toBe(403)
    expect((await decide(id, 'revoke', { reason: 'x' }, other.as.owner)).status).toBe(404)
    expect((await decide(id, 'revoke', {})).body.errors[0].path).toBe('reason')
    const stale = { as: firm.as.manager, body: { reason: 'x' }, headers: { 'if-match': '"1"' } }
    expect((await app.call('POST', `/v1/kyc/submissions/${id}/revoke`, stale)).status).toBe(412)
    // an approved submission cannot be rejected like a waiting one
    expect((await decide(id, 'reject', { code: 'expired' })).status).toBe(409)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    const tries = await Promise.all([1, 2, 3].map(() => decide(id, 'revoke', { reason: 'x' })))
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    firm.effects()
  })

  test('a revoked approval does not end other waiting documents, and the client may try again', async () => {
    const traderId = await firm.trader()
    const id = await approved(traderId, 1)
    const next = await submit(traderId, 2)
    await decide(id, 'revoke', { reason: 'x' })
    expect(await trader(traderId)).toMatchObject({ kycLevel: 0, kycStatus: 'requested' })
    expect((await decide(next, 'approve')).body.code).toBe('second_person_needed')
    expect((await decide(next, 'approve', {}, firm.as.admin)).status).toBe(200)
    expect(await trader(traderId)).toMatchObject({ kycLevel: 2, kycStatus: 'approved' })
    firm.effects()
  })

  test('a revoked approval uses the text of the firm’s catalogue if there is one', async () => {
    const foreign = other.as.admin
    const reasons = [{ code: 'revoked', staffText: 'Revoked', clientText: 'Ask us.', kind: 'retry' }]
    expect((await app.call('PUT', '/v1/kyc/reject-reasons', { as: foreign, body: { reasons } })).status).toBe(200)
    const traderId = await other.trader()
    const about = { traderId, contentType: 'image/png', fileSize: PNG.byteLength }
    const { body: upload } = await post('/v1/kyc/documents/upload', about, foreign)
    await app.call('PUT', upload.uploadUrl, { raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } })
    const { body: document } = await post('/v1/kyc/documents/confirm', { key: upload.key, kind: 'passport' }, foreign)
    const handed = await post('/v1/kyc/submissions', { traderId, level: 1, documentIds: [document.id] }, foreign)
    await decide(handed.body.id, 'approve', {}, other.as.manager)
    expect((await decide(handed.body.id, 'revoke', { reason: 'x' }, foreign)).body.rejectionDetail).toBe('Ask us.')
  })
})

describe('a final rejection', () => {
  test.each([['forged'], ['suspected_forgery']])('a final rejection for %s revokes earlier approvals', async (code) => {
    const traderId = await funded()
    const standing = [await approved(traderId, 1), await approved(traderId, 2)]
    const asked = await ask(traderId, '10')
    const forged = await submit(traderId, 3)
    firm.effects()
    expect((await decide(forged, 'reject', { code, note: 'glued photo' })).status).toBe(200)
    expect(firm.effects()).toEqual({
      events: ['kyc.rejected', 'kyc.rejected', 'kyc.rejected', 'trader.updated'],
      actions: ['kyc.reject', 'kyc.revoke', 'kyc.revoke', 'kyc.reject'],
    })
    for (const id of standing)
      expect((await app.call('GET', `/v1/kyc/submissions/${id}`, { as: firm.as.viewer })).body).toMatchObject({
        status: 'rejected',
        rejectionKind: 'final',
        rejectionDetail: 'We cannot verify your identity.',
        staff: { rejectionCode: code, rejectionNote: 'glued photo' },
      })
    expect(
      payloads('kyc.rejected', 3)
        .map(({ payload }) => payload.submissionId)
        .sort(),
    ).toEqual([...standing, forged].sort())
    expect(await trader(traderId)).toMatchObject({ kycLevel: 0, kycStatus: 'rejected' })
    expect((await act(asked.body.id, 'approve', firm.as.manager)).body.code).toBe('withdrawals.kyc_too_low')
  })

  test('a final rejection in bulk revokes approvals too; one that does not revoke, or is not final, leaves them', async () => {
    const [a, b, c] = [await firm.trader(), await firm.trader(), await firm.trader()]
    for (const traderId of [a, b, c]) {
      await approved(traderId, 1)
      await submit(traderId, 2)
    }
    const bulk = (ids: string[], body: object) =>
      post('/v1/admin/traders/bulk-reject-kyc', { ids, ...body }, firm.as.manager)
    expect((await bulk([a], { code: 'forged' })).body.results[0].ok).toBe(true)
    expect((await bulk([b], { code: 'forged', kind: 'retry' })).body.results[0].ok).toBe(true)
    expect((await bulk([c], { detail: 'No.', kind: 'final' })).body.results[0].ok).toBe(true)
    expect(await Promise.all([a, b, c].map(async (id) => (await trader(id)).kycLevel))).toEqual([0, 1, 1])
  })
})
