import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, toIso } from '../../../platform/clock.ts'
import { type Answer, type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createEvidenceDesk, PNG } from '../../../testing/evidence-desk.ts'
import { lettersTo } from '../../../testing/sign-in.ts'
import { whileStale } from '../../../testing/stale.ts'
import { canUnzip, unzip } from '../../../testing/unzip.ts'
import { purgeFiles } from '../../base/files/files.jobs.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { purgeTraders } from './erasure.jobs.ts'
import { purgeKeptRecords } from './kept-records.jobs.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const { deposited, paidOut, verified } = createEvidenceDesk(() => ({ app, firm }))
const run = () => ({ platform: app.platform, signal: new AbortController().signal })
const YEAR = 366 * DAY
const IBAN = 'CY17002001280000001200527600'
const records = async (as: Caller = firm.as.owner, query = ''): Promise<Answer> =>
  app.call('GET', `/v1/kept-records${query}`, { as })
const open = (id: string, as: Caller = firm.as.owner, body: object = { reason: 'The regulator asks.' }) =>
  app.call('POST', `/v1/kept-records/${id}/open`, { as, body })
const remove = async (id: string): Promise<void> =>
  void expect((await app.call('DELETE', `/v1/traders/${id}`, { as: firm.as.admin })).status).toBe(204)
const parts = (): number => app.platform.reader.all('SELECT 1 FROM kept_parts').length

/** Deletes clients and waits for their erasure; returns the numbers of the new records. */
async function erased(...ids: string[]): Promise<string[]> {
  const before = new Set((await records()).body.data.map(({ id }: { id: string }) => id))
  for (const id of ids) await remove(id)
  app.clock.advance(31 * DAY)
  await purgeTraders.run(run())
  const now: { id: string }[] = (await records(firm.as.owner, '?limit=200')).body.data
  return now.map(({ id }) => id).filter((id) => !before.has(id))
}
/** Makes a client with approved documents, and with money that was moved to an account. */
async function known(values: object = {}) {
  const id = await firm.trader({ firstName: 'Zebulon', lastName: 'Quixwright', phone: '+35799123456', ...values })
  const { key } = await verified(id)
  await deposited(id)
  const reference = `${IBAN}${id.slice(-4)}`.toUpperCase()
  const withdrawal = await paidOut(id, { kind: 'bank', reference, holder: 'Zebulon Quixwright' })
  return { id, key, reference, withdrawal }
}
/** Opens a record and unpacks it with an independent program. */
async function unzipped(id: string): Promise<Record<string, Buffer>> {
  const answer = await app.send(
    new Request(`http://localhost/v1/kept-records/${id}/open`, {
      method: 'POST',
      headers: { host: 'localhost', 'content-type': 'application/json', ...firm.as.owner.headers },
      body: JSON.stringify({ reason: 'The regulator asks.' }),
    }),
  )
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return unzip(answer)
}

describe('erasing a client whose records the law keeps', () => {
  test.skipIf(!canUnzip)(
    'erasing a client first seals identity, documents, destinations, decisions and money in a record',
    async () => {
      const { id, key, reference, withdrawal } = await known()
      await app.call('POST', '/v1/support/tickets', {
        as: firm.as.operator,
        body: { traderId: id, subject: 'A word', body: 'said in confidence' },
      })
      firm.effects()
      const [record = ''] = await erased(id)
      expect(firm.effects().actions.filter((action) => /kept|erase/.test(action))).toEqual([
        'kept_record.create',
        'trader.erase',
      ])
      const { data } = (await records()).body
      expect(data.find((row: { id: string }) => row.id === record)).toEqual({
        id: record,
        reason: 'documents_and_money',
        createdAt: expect.any(String),
        keptUntil: expect.any(String),
      })
      // only the audit of the erasure has the record's number
      const audit = await app.call('GET', `/v1/audit?entityId=${id}&action=trader.erase`, { as: firm.as.owner })
      expect(audit.body.data[0].after).toEqual({ keptRecord: record })
      firm.effects()
      const mailed = lettersTo(app, 'owner@alpha.test', firm).length
      const found = await unzipped(record)
      expect(firm.effects()).toEqual({ events: [], actions: ['kept_record.open'] })
      const letters = lettersTo(app, 'owner@alpha.test', firm).slice(mailed)
      expect(letters).toEqual([expect.stringContaining('The regulator asks.')])
      expect(letters[0]).not.toContain('Zebulon')
      expect(Object.keys(found)).toEqual(['bundle.json', `files/${key}.png`])
      expect(found[`files/${key}.png`]?.equals(PNG)).toBe(true)
      const text = found['bundle.json']?.toString() ?? ''
      const bundle = JSON.parse(text)
      expect(bundle.person).toMatchObject({ firstName: 'Zebulon', lastName: 'Quixwright' })
      expect(bundle.contacts.phone).toBe('+35799123456')
      expect(bundle.destinations).toEqual([expect.objectContaining({ reference, holder: 'Zebulon Quixwright' })])
      expect(bundle.withdrawals[0]).toMatchObject({ id: withdrawal, amount: '10.00', status: 'paid' })
      expect(bundle.deposits[0]).toMatchObject({ status: 'settled', settledAmount: '10.00' })
      expect(bundle.kycDocuments[0]).toMatchObject({ fileId: key, kind: 'passport' })
      expect(bundle.withdrawalDecisions[0]).toMatchObject({
        withdrawalId: withdrawal,
        userId: firm.as.admin.id,
        decision: 'approve',
        note: 'looked at the bank',
      })
      expect(bundle.acts).toContainEqual(
        expect.objectContaining({ action: 'kyc.approve', actorId: firm.as.manager.id, actorName: 'manager of alpha' }),
      )
      expect(text).not.toContain('said in confidence')
    },
  )

  test('erasing a client with a record leaves nothing of the person visible, and the bytes sealed', async () => {
    const { id, key, reference } = await known({ lastName: 'Vanderquist', email: 'vander@quist.test' })
    const [record = ''] = await erased(id)
    app.clock.advance(2 * HOUR)
    await purgeFiles.run(run())
    expect(app.platform.blobs.get(firm.tenantId, key)).toBeDefined()
    // restore and drill open every attached file with the key, so its row stays valid
    expect(app.platform.reader.all('SELECT status, trader_id, public FROM files WHERE id = ?', [key])).toEqual([
      { status: 'attached', trader_id: null, public: 0 },
    ])
    const seen: string[] = []
    const ask = async (path: string, options: object = {}) => {
      const answer = await app.call('options' in options ? 'POST' : 'GET', path, { as: firm.as.owner, ...options })
      seen.push(`${answer.status} ${answer.text}`)
    }
    await ask('/v1/kept-records')
    await ask('/v1/search?q=Vanderquist')
    await ask('/v1/traders?q=Vanderquist')
    await ask(`/v1/traders/${id}`)
    await ask('/v1/traders/export.csv')
    await ask('/v1/withdrawals/export.csv')
    await ask('/v1/audit/export.csv')
    await ask(`/v1/audit?entityId=${record}`)
    await ask(`/v1/files/${key}`)
    const sql = await app.call('POST', '/v1/admin/sandbox', {
      as: firm.as.owner,
      body: { sql: 'SELECT * FROM kept_parts' },
    })
    seen.push(sql.text)
    const text = seen.join('\n')
    for (const word of ['Vanderquist', 'vander@', reference, '+35799123456']) expect(text).not.toContain(word)
    // the stored text is sealed, and so not readable either
    const stored = app.platform.reader.all<{ sealed: Uint8Array | null }>('SELECT sealed FROM kept_parts')
    for (const { sealed } of stored) expect(Buffer.from(sealed ?? []).includes('Vanderquist')).toBe(false)
  })

  test('erasing a client without documents and money makes no record', async () => {
    const id = await firm.trader()
    const before = parts()
    expect(await erased(id)).toEqual([])
    expect(parts()).toBe(before)
    const answer = await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })
    expect(answer.body.firstName).toBeNull()
  })

  test('erasure and record are committed together or not at all', async () => {
    const { id, key } = await known()
    await remove(id)
    app.clock.advance(31 * DAY)
    const before = [(await records()).body.data.length, parts()]
    const { raw } = app.platform.connection
    raw.run(`CREATE TEMP TRIGGER stop BEFORE DELETE ON kyc_documents BEGIN SELECT RAISE(ABORT, 'stopped'); END`)
    await expect(purgeTraders.run(run())).rejects.toThrow('stopped')
    expect([(await records()).body.data.length, parts()]).toEqual(before)
    expect((await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })).body.firstName).toBe('Zebulon')
    expect(app.platform.blobs.get(firm.tenantId, key)).toBeDefined()
    raw.run('DROP TRIGGER stop')
    await purgeTraders.run(run())
    await purgeTraders.run(run())
    expect((await records()).body.data).toHaveLength((before[0] ?? 0) + 1)
    expect((await app.call('GET', `/v1/traders/${id}`, { as: firm.as.viewer })).body.firstName).toBeNull()
    expect((await app.call('GET', '/v1/audit/verify', { as: firm.as.admin })).body.intact).toBe(true)
  })

  test.skipIf(!canUnzip)(
    'erasing a merged client keeps that identity in a record, and leaves the primary as it is',
    async () => {
      const primaryId = await firm.trader({ firstName: 'Primary' })
      const secondaryId = await firm.trader({ firstName: 'Secondhand' })
      const { key } = await verified(secondaryId)
      await app.call('POST', '/v1/admin/traders/merge', { as: firm.as.owner, body: { primaryId, secondaryId } })
      app.clock.advance(31 * DAY)
      const before = (await records()).body.data.length
      await purgeTraders.run(run())
      const [record] = (await records()).body.data
      expect((await records()).body.data).toHaveLength(before + 1)
      expect(JSON.parse((await unzipped(record.id))['bundle.json']?.toString() ?? '').person.firstName).toBe(
        'Secondhand',
      )
      expect((await app.call('GET', `/v1/traders/${primaryId}`, { as: firm.as.viewer })).body.firstName).toBe('Primary')
      const [whole = ''] = await erased(primaryId)
      expect(Object.keys(await unzipped(whole))).toContain(`files/${key}.png`)
    },
  )

  test.skipIf(!canUnzip)('a long history is sealed in pieces', async () => {
    const id = await firm.trader({ firstName: 'Busy' })
    await verified(id)
    const rows = 450
    const deposit = { traderId: id, currency: 'EUR', amount: 125n, method: 'bank', status: 'cancelled' } as const
    await systemCtx(app.platform, firm.tenantId, 'test').write('deposit.create', (tx) => {
      for (let at = 0; at < rows; at += 1) tx.insert(deposits, { ...deposit, note: 'ü'.repeat(900) })
    })
    const before = parts()
    const [record = ''] = await erased(id)
    expect(parts() - before).toBeGreaterThan(3)
    const bundle = JSON.parse((await unzipped(record))['bundle.json']?.toString() ?? '')
    expect(bundle.deposits).toHaveLength(rows)
    expect(bundle.acts.find(({ entity }: { entity: string }) => entity === 'deposit').after.note).toBe('ü'.repeat(900))
    expect(bundle.acts.length).toBeGreaterThan(rows)
  })
})

describe('a kept record', () => {
  test('a kept record is listed and opened by an owner in a fresh session of their own', async () => {
    const { id } = await known()
    const [record = ''] = await erased(id)
    const opened = await open(record)
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const again = { as: firm.as.owner, headers: { 'idempotency-key': 'once' }, body: { reason: 'Once more.' } }
    for (const status of [200, 200])
      expect((await app.call('POST', `/v1/kept-records/${record}/open`, again)).status).toBe(status)
    const before = lettersTo(app, 'owner@alpha.test', firm).length
    firm.effects()
    expect((await records(firm.as.admin)).status).toBe(403)
    expect((await open(record, firm.as.admin)).status).toBe(403)
    const key = await firm.key(['privacy:read'])
    expect((await records(key)).body.data[0].id).toBe(record)
    expect((await records(await firm.key(['traders:read']))).status).toBe(403)
    const byKey = await open(record, key)
    expect([byKey.status, byKey.body.code]).toEqual([403, 'privacy.not_by_key'])
    expect((await open(record, other.as.owner)).status).toBe(404)
    expect((await records(other.as.owner)).body.data).toEqual([])
    expect((await open('kpr_nothing')).status).toBe(404)
    expect((await open(record, firm.as.owner, {})).status).toBe(422)
    expect((await open(record, firm.as.owner, { reason: ' ' })).status).toBe(422)
    const stale = await whileStale(app, firm, firm.as.owner, () => open(record))
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required'])
    expect(firm.effects()).toEqual({ events: [], actions: expect.not.arrayContaining(['kept_record.open']) })
    expect(lettersTo(app, 'owner@alpha.test', firm)).toHaveLength(before)
    const page = await records(firm.as.owner, '?limit=1')
    expect(page.body.data).toHaveLength(1)
    expect((await records(firm.as.owner, `?limit=1&cursor=${page.body.nextCursor}`)).body.data[0].id).not.toBe(record)
  })

  test('a kept record is erased with its documents after its years; a longer setting extends it, a shorter does not shorten it', async () => {
    const { id, key } = await known()
    const keep = (keepYears: number) =>
      app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { keepYears } })
    const readKeptUntil = async (record: string): Promise<string> =>
      (await records(firm.as.owner, '?limit=200')).body.data.find((row: { id: string }) => row.id === record).keptUntil
    const lastAt = app.clock.now()
    const [record = ''] = await erased(id)
    const years = (n: number): string => `${Number(toIso(lastAt).slice(0, 4)) + n}${toIso(lastAt).slice(4, 10)}`
    expect((await readKeptUntil(record)).slice(0, 10)).toBe(years(5))
    await keep(1)
    expect((await readKeptUntil(record)).slice(0, 10)).toBe(years(5))
    await keep(7)
    expect((await readKeptUntil(record)).slice(0, 10)).toBe(years(7))
    app.clock.advance(6 * YEAR)
    await purgeKeptRecords.run(run())
    expect((await open(record)).status).toBe(200)
    await keep(1)
    firm.effects()
    expect(await purgeKeptRecords.run(run())).toContain('erased')
    expect(firm.effects().actions).toContain('kept_record.erase')
    app.clock.advance(HOUR)
    await purgeFiles.run(run())
    expect((await open(record)).status).toBe(404)
    expect(app.platform.blobs.get(firm.tenantId, key)).toBeUndefined()
    expect([parts(), (await records()).body.data]).toEqual([0, []])
    expect(await purgeKeptRecords.run(run())).toBeNull()
    expect((await app.call('GET', '/v1/audit/verify', { as: firm.as.admin })).body.intact).toBe(true)
  })

  test('a kept record whose years are already over is kept for another year', async () => {
    const { id } = await known()
    app.clock.advance(9 * YEAR)
    const [record = ''] = await erased(id)
    const found = (await records()).body.data.find((row: { id: string }) => row.id === record)
    expect(Number(found.keptUntil.slice(0, 4)) - Number(found.createdAt.slice(0, 4))).toBe(1)
  })
})
