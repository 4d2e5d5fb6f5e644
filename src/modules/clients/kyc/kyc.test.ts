import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { purgeFiles } from '../../base/files/files.jobs.ts'
import { purgeTraders } from '../../overview/privacy/erasure.jobs.ts'

// the smallest valid PNG: one pixel
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const upload = async (
  traderId: string,
  as: Caller = firm.as.operator,
  bytes: Buffer = PNG,
  contentType = 'image/png',
) => {
  const named = as === firm.as.operator ? { traderId } : {}
  const announced = await app.call('POST', '/v1/kyc/documents/upload', {
    as,
    body: { ...named, contentType, fileSize: bytes.byteLength },
  })
  expect(announced.status).toBe(200)
  const sent = await app.call('PUT', announced.body.uploadUrl, {
    raw: new Uint8Array(bytes),
    headers: { 'content-type': contentType },
  })
  expect(sent.status).toBe(204)
  return announced.body.key as string
}
const confirm = (key: string, as: Caller = firm.as.operator, body: object = {}) =>
  app.call('POST', '/v1/kyc/documents/confirm', { as, body: { key, kind: 'passport', ...body } })
const paper = async (traderId: string, as: Caller = firm.as.operator) =>
  (await confirm(await upload(traderId, as), as)).body.id as string
const submit = async (traderId: string, level = 2) => {
  const answer = await app.call('POST', '/v1/kyc/submissions', {
    as: firm.as.operator,
    body: { traderId, level, documentIds: [await paper(traderId)] },
  })
  firm.effects()
  return answer
}
const decide = (id: string, what: string, as: Caller, body: object = {}) =>
  app.call('POST', `/v1/kyc/submissions/${id}/${what}`, { as, body })
const trader = async (id: string) => (await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })).body

describe('identity documents', () => {
  test('identity documents are sealed at rest and recorded, and every view is audited', async () => {
    const traderId = await firm.trader()
    const key = await upload(traderId)
    const sealed = app.platform.blobs.get(firm.tenantId, key)
    expect(Buffer.from(sealed ?? []).equals(PNG)).toBe(true)
    const confirmed = await confirm(key, firm.as.operator, { side: 'front' })
    expect(confirmed.body).toMatchObject({
      traderId,
      kind: 'passport',
      side: 'front',
      contentType: 'image/png',
      size: PNG.byteLength,
      submissionId: null,
    })
    firm.effects()
    const view = await app.call('GET', `/v1/kyc/documents/${confirmed.body.id}/file`, { as: firm.as.operator })
    expect(view.status).toBe(200)
    expect(view.headers.get('content-disposition')).toStartWith('attachment')
    expect(view.headers.get('x-content-type-options')).toBe('nosniff')
    expect(firm.effects()).toEqual({ events: [], actions: ['kyc.document_view'] })
    expect((await app.call('GET', `/v1/kyc/documents/${confirmed.body.id}/file`, { as: firm.as.viewer })).status).toBe(
      403,
    )
    expect((await app.call('GET', `/v1/kyc/documents/${confirmed.body.id}/file`, { as: other.as.owner })).status).toBe(
      404,
    )
    expect((await app.call('GET', `/v1/files/${key}`)).status).toBe(404)
  })

  test('identity documents are checked by content and not by name; size and type are limited', async () => {
    const traderId = await firm.trader()
    const html = Buffer.from('<html><script>alert(1)</script></html>')
    expect((await confirm(await upload(traderId, firm.as.operator, html, 'image/png'))).status).toBe(422)
    const announce = (contentType: string, fileSize: number) =>
      app.call('POST', '/v1/kyc/documents/upload', { as: firm.as.operator, body: { traderId, contentType, fileSize } })
    expect((await announce('image/svg+xml', 10)).body.errors[0].path).toBe('contentType')
    expect((await announce('application/pdf', 15 * 1024 * 1024 + 1)).body.errors[0].path).toBe('fileSize')
  })

  test('a PDF may have up to a KiB before its header, as scanners and mail programs write it', async () => {
    const traderId = await firm.trader()
    const sent = async (before: string | Uint8Array, header = '%PDF-1.4\n') => {
      const bytes = Buffer.concat([Buffer.from(before), Buffer.from(header), Buffer.from('rest '.repeat(300))])
      return (await confirm(await upload(traderId, firm.as.operator, bytes, 'application/pdf'))).status
    }
    for (const before of ['', '\r\n', '\ufeff', 'Content-Type: application/pdf\n\n', 'x'.repeat(1019)])
      expect(await sent(before)).toBe(201)
    expect(await sent('x'.repeat(1020))).toBe(422)
    expect(await sent('', '<html>')).toBe(422)
  })

  test('a client submits only their own identity documents and reaches no other client’s', async () => {
    const [one, two] = [await firm.trader(), await firm.trader()]
    const [first, second] = [await firm.traderSession(one), await firm.traderSession(two)]
    const key = await upload(one, first)
    expect((await confirm(key, second)).status).toBe(404)
    const document = await confirm(key, first)
    expect(document.status).toBe(201)
    expect((await app.call('GET', `/v1/kyc/documents/${document.body.id}/file`, { as: second })).status).toBe(404)
    expect((await app.call('GET', `/v1/kyc/documents/${document.body.id}/file`, { as: first })).status).toBe(200)
    const body = { level: 1, documentIds: [document.body.id] }
    expect((await app.call('POST', '/v1/kyc/submissions', { as: second, body })).body.errors[0].path).toBe(
      'documentIds.0',
    )
    firm.effects()
    const handed = await app.call('POST', '/v1/kyc/submissions', { as: first, body })
    expect(handed.status).toBe(201)
    expect(firm.effects().events).toEqual(['kyc.requested', 'trader.updated'])
    expect((await app.call('GET', `/v1/kyc/submissions/${handed.body.id}`, { as: second })).status).toBe(404)
    expect((await app.call('GET', `/v1/kyc/submissions/${handed.body.id}`, { as: first })).body.staff).toBeNull()
  })
})

describe('submissions', () => {
  test('a submission is approved with its level and its events', async () => {
    const traderId = await firm.trader()
    const { body } = await submit(traderId, 3)
    expect(await trader(traderId)).toMatchObject({ kycStatus: 'requested', kycLevel: 0 })
    expect((await submit(traderId)).body.code).toBe('kyc.open_submission')
    expect((await decide(body.id, 'approve', firm.as.operator)).status).toBe(403)
    expect((await decide(body.id, 'approve', other.as.owner)).status).toBe(404)
    const answers = await Promise.all(Array.from({ length: 10 }, () => decide(body.id, 'approve', firm.as.manager)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(firm.effects()).toEqual({
      events: ['kyc.approved', 'trader.updated'],
      actions: expect.arrayContaining(['kyc.approve']),
    })
    expect(await trader(traderId)).toMatchObject({ kycStatus: 'approved', kycLevel: 3 })
  })

  test('a rejection sends the client’s text in payload.detail, never that of staff; a final one stops the client', async () => {
    const traderId = await firm.trader()
    const { body } = await submit(traderId)
    expect((await decide(body.id, 'reject', firm.as.manager, {})).body.errors[0].path).toBe('detail')
    expect((await decide(body.id, 'reject', firm.as.manager, { code: 'nope' })).body.errors[0].path).toBe('code')
    const rejected = await decide(body.id, 'reject', firm.as.manager, {
      code: 'suspected_forgery',
      note: 'hologram missing',
    })
    expect(rejected.body).toMatchObject({
      status: 'rejected',
      rejectionKind: 'final',
      rejectionDetail: 'We cannot verify your identity.',
    })
    const event = app.platform.reader.get<{ body: string }>(
      "SELECT body FROM events WHERE event = 'kyc.rejected' ORDER BY position DESC LIMIT 1",
    )
    expect(JSON.parse(event?.body ?? '{}').payload.detail).toBe('We cannot verify your identity.')
    expect(event?.body).not.toMatch(/hologram|forgery/i)
    const detail = await app.call('GET', `/v1/kyc/submissions/${body.id}`, { as: firm.as.viewer })
    expect(detail.body.staff).toMatchObject({ rejectionCode: 'suspected_forgery', rejectionNote: 'hologram missing' })
    const session = await firm.traderSession(traderId)
    const again = await app.call('POST', '/v1/kyc/submissions', {
      as: session,
      body: { level: 1, documentIds: [await paper(traderId, session)] },
    })
    expect(again.body.code).toBe('kyc.final_rejection')
    expect((await submit(traderId)).status).toBe(201)
  })

  test('submissions are decided in bulk, each client separately, with a result for each', async () => {
    const [a, b, c] = [await firm.trader(), await firm.trader(), await firm.trader()]
    await submit(a)
    await submit(b)
    const approved = await app.call('POST', '/v1/admin/traders/bulk-approve-kyc', {
      as: firm.as.manager,
      body: { ids: [a, c, 'trd_none'] },
    })
    expect(approved.body.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok)).toEqual([
      true,
      'kyc.nothing_open',
      'not_found',
    ])
    const rejected = await app.call('POST', '/v1/admin/traders/bulk-reject-kyc', {
      as: firm.as.manager,
      body: { ids: [b], code: 'expired' },
    })
    expect(rejected.body.results[0].ok).toBe(true)
    expect(await trader(b)).toMatchObject({ kycStatus: 'rejected' })
    expect(
      (await app.call('POST', '/v1/admin/traders/bulk-approve-kyc', { as: firm.as.operator, body: { ids: [a] } }))
        .status,
    ).toBe(403)
    expect(
      (await app.call('POST', '/v1/admin/traders/bulk-reject-kyc', { as: firm.as.manager, body: { ids: [b] } })).status,
    ).toBe(422)
    const tooMany = await app.call('POST', '/v1/admin/traders/bulk-approve-kyc', {
      as: firm.as.manager,
      body: { ids: Array.from({ length: 501 }, (_, n) => `t${n}`) },
    })
    expect(tooMany.body.errors[0].path).toBe('ids')
    firm.effects()
  })

  test('an admin sets the catalogue of reasons for rejections', async () => {
    const reason = { code: 'selfie', staffText: 'No face', clientText: 'Please show your face.', kind: 'retry' }
    const set = (reasons: object[], as = firm.as.admin) =>
      app.call('PUT', '/v1/kyc/reject-reasons', { as, body: { reasons } })
    expect((await set([reason], firm.as.manager)).status).toBe(403)
    expect((await set([reason, reason])).body.errors[0].path).toBe('reasons.1.code')
    expect((await set([reason])).body.version).toBe(1)
    expect((await app.call('GET', '/v1/kyc/reject-reasons', { as: firm.as.viewer })).body.reasons).toEqual([reason])
    expect(
      (await app.call('GET', '/v1/kyc/reject-reasons', { as: other.as.viewer })).body.reasons.length,
    ).toBeGreaterThan(1)
  })

  test('the reasons that a firm starts with are in the language of the reader, and stored the same for all', async () => {
    const read = async (language: string) =>
      (
        await app.call('GET', '/v1/kyc/reject-reasons', {
          as: other.as.viewer,
          headers: { 'accept-language': language },
        })
      ).body.reasons
    const english = await read('en')
    const german = await read('de')
    expect([english[1].staffText, german[1].staffText]).toEqual(['Document expired', 'Dokument abgelaufen'])
    expect(german[1].clientText).toBe(english[1].clientText)
    const headers = { 'accept-language': 'de' }
    const put = await app.call('PUT', '/v1/kyc/reject-reasons', {
      as: other.as.admin,
      headers,
      body: { reasons: german },
    })
    expect(put.body.reasons).toEqual(german)
    expect(await read('en')).toEqual(english)
  })
})

test('erasing a person removes their identity documents', async () => {
  const traderId = await firm.trader({ firstName: 'Vanishing' })
  const key = await upload(traderId)
  await confirm(key)
  await app.call('DELETE', `/v1/traders/${traderId}`, { as: firm.as.manager })
  app.clock.advance(31 * DAY)
  const run = { platform: app.platform, signal: new AbortController().signal }
  await purgeTraders.run(run)
  app.clock.advance(2 * HOUR)
  await purgeFiles.run(run)
  expect(app.platform.blobs.get(firm.tenantId, key)).toBeUndefined()
  expect(app.platform.reader.all('SELECT 1 FROM kyc_documents WHERE trader_id = ?', [traderId])).toEqual([])
  expect((await app.call('GET', '/v1/audit/verify', { as: firm.as.admin })).body.intact).toBe(true)
})
