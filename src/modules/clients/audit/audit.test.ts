import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { anchorAudit } from './audit.jobs.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const create = async (email: string) =>
  (await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email, firstName: 'Ann' } })).body

describe('GET /v1/audit', () => {
  test('the audit log shows who did what, with before and after, newest first', async () => {
    const trader = await create('a@x.test')
    await app.call('PATCH', `/v1/traders/${trader.id}`, { as: firm.as.manager, body: { firstName: 'Bea' } })
    const answer = await app.call('GET', `/v1/audit?traderId=${trader.id}`, { as: firm.as.manager })
    expect(answer.status).toBe(200)
    expect(answer.body.data.map((entry: { action: string }) => entry.action)).toEqual([
      'trader.update',
      'trader.create',
    ])
    expect(answer.body.data[0]).toMatchObject({
      actorKind: 'user',
      actorId: firm.as.manager.id,
      actorName: 'manager of alpha',
      entity: 'trader',
      entityId: trader.id,
      before: { firstName: 'Ann' },
      after: { firstName: 'Bea' },
      erased: false,
    })
  })

  test('the audit log can show acts of people only, also those by their keys, with the client of each record', async () => {
    const { key } = (
      await app.call('POST', '/v1/api-keys', {
        as: firm.as.owner,
        body: { label: 'bridge', scopes: ['traders:write', 'traders:read'] },
      })
    ).body
    const machine = { id: 'bridge', headers: { 'x-api-key': key } }
    const { id } = (
      await app.call('POST', '/v1/traders', { as: machine, body: { email: 'cid@x.test', firstName: 'Cid' } })
    ).body
    await app.call('PATCH', `/v1/traders/${id}`, { as: firm.as.manager, body: { firstName: 'Dora' } })
    const read = async (rest: string) =>
      (await app.call('GET', `/v1/audit?traderId=${id}${rest}`, { as: firm.as.manager })).body.data.map(
        (entry: { actorKind: string; traderName: string | null }) => [entry.actorKind, entry.traderName],
      )
    expect(await read('')).toEqual([
      ['user', 'Dora'],
      ['api_key', 'Dora'],
    ])
    expect(await read('&people=true')).toEqual(await read(''))
    await app.call('POST', '/v1/accounts/sync', {
      as: await firm.key(['accounts:write']),
      body: { platform: 'terminal5', server: 'live-1', sequence: 1, accounts: [] },
    })
    const actions = async (rest: string): Promise<string[]> =>
      (await app.call('GET', `/v1/audit?limit=200${rest}`, { as: firm.as.manager })).body.data.map(
        (entry: { action: string }) => entry.action,
      )
    expect(await actions('')).toContain('account.sync')
    expect(await actions('&people=true')).not.toContain('account.sync')
    expect(await actions('&people=true')).toContain('api_key.create')
  })

  test('the audit log filters by time, action, entity and actor, and pages without gaps', async () => {
    app.clock.advance(HOUR)
    const since = new Date(app.clock.now()).toISOString()
    for (let n = 0; n < 5; n++) await create(`t${n}@x.test`)
    const until = new Date(app.clock.now() + 1).toISOString()
    app.clock.advance(HOUR)
    await create('later@x.test')
    const range = `from=${since}&to=${until}&action=trader.create&entity=trader&actorId=${firm.as.operator.id}`
    const whole = await app.call('GET', `/v1/audit?${range}&count=true`, { as: firm.as.manager })
    expect(whole.body.total).toBe(5)
    const first = await app.call('GET', `/v1/audit?${range}&limit=3`, { as: firm.as.manager })
    const second = await app.call('GET', `/v1/audit?${range}&limit=3&cursor=${first.body.nextCursor}`, {
      as: firm.as.manager,
    })
    expect([...first.body.data, ...second.body.data]).toEqual(whole.body.data)
    expect(second.body.nextCursor).toBeNull()
  })

  test('the audit log is searched by the client of a record, by any of their names, and by the record’s id', async () => {
    const anna = await app.call('POST', '/v1/traders', {
      as: firm.as.operator,
      body: { email: 'anna.search@x.test', firstName: 'Anna', lastName: 'Searched', phone: '+447700900123' },
    })
    const note = await app.call('POST', `/v1/traders/${anna.body.id}/notes`, {
      as: firm.as.operator,
      body: { body: 'called' },
    })
    const actions = async (q: string, as = firm.as.manager, more = ''): Promise<string[]> => {
      const { body } = await app.call('GET', `/v1/audit?q=${encodeURIComponent(q)}${more}`, { as })
      return body.data.map(({ action }: { action: string }) => action)
    }
    const both = ['trader.note', 'trader.create']
    for (const q of ['searched anna', 'anna.search@x.test', '0123', '07700 900123'])
      expect([q, await actions(q)]).toEqual([q, both])
    expect(await actions(note.body.id)).toEqual(['trader.note'])
    expect(await actions('searched', firm.as.manager, '&people=true&action=trader.create')).toEqual(['trader.create'])
    expect(await actions('nobody is called so')).toEqual([])
    expect(await actions('searched', other.as.manager)).toEqual([])
    const { text } = await app.call('GET', '/v1/audit/export.csv?q=searched', { as: firm.as.manager })
    expect(text.split('\n').filter((line) => line.includes('Anna Searched'))).toHaveLength(2)
  })

  test('the audit log answers 401, 403 below manager, and nothing of another firm', async () => {
    expect((await app.call('GET', '/v1/audit')).status).toBe(401)
    expect((await app.call('GET', '/v1/audit', { as: firm.as.operator })).status).toBe(403)
    const foreign = await app.call('GET', '/v1/audit?limit=200', { as: other.as.manager })
    expect(foreign.text).not.toContain(firm.as.operator.id)
  })
})

test('facets count the whole audit log, new entries included', async () => {
  const findCount = (body: { actions: { value: string; count: number }[] }) =>
    body.actions.find(({ value }) => value === 'trader.create')?.count ?? 0
  const before = await app.call('GET', '/v1/audit/facets', { as: firm.as.manager })
  await create('facet@x.test')
  const after = await app.call('GET', '/v1/audit/facets', { as: firm.as.manager })
  expect(findCount(after.body)).toBe(findCount(before.body) + 1)
  expect(after.body.actors.find(({ value }: { value: string }) => value === firm.as.operator.id).label).toBe(
    'operator of alpha',
  )
})

test('the export of the audit log has what the list has and is itself audited', async () => {
  firm.effects()
  const answer = await app.call('GET', '/v1/audit/export.csv?action=trader.create', { as: firm.as.manager })
  const { body } = await app.call('GET', '/v1/audit?action=trader.create&count=true', { as: firm.as.manager })
  expect(answer.text.trim().split('\n')).toHaveLength(body.total + 1)
  expect(firm.effects().actions).toEqual(['audit.export'])
})

describe('GET /v1/audit/verify', () => {
  const verify = async () => (await app.call('GET', '/v1/audit/verify', { as: firm.as.admin })).body
  const tamper = async (sql: string, trigger: string) => {
    const { connection, writer } = app.platform
    const definition =
      connection.get<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?', [trigger])?.sql ?? ''
    await writer.submit(() => {
      connection.raw.run(`DROP TRIGGER ${trigger}`)
      connection.raw.run(sql)
      connection.raw.run(definition)
    })
  }

  test('an unchanged audit chain is reported as intact; 403 below admin', async () => {
    const answer = await verify()
    expect(answer).toMatchObject({ intact: true, firstBroken: null })
    expect(answer.entries).toBeGreaterThan(10)
    expect((await app.call('GET', '/v1/audit/verify', { as: firm.as.manager })).status).toBe(403)
  })

  test('the database refuses to change or remove entries of the audit', async () => {
    for (const sql of ["UPDATE audit SET action = 'x'", 'DELETE FROM audit', "UPDATE audit_data SET after = 'x'"]) {
      expect(app.platform.writer.submit(() => app.platform.connection.raw.run(sql))).rejects.toThrow()
    }
  })

  test('a check of the audit names an altered clear text and an altered entry', async () => {
    const quote = `'${firm.tenantId}'`
    const kept = app.platform.connection.get<{ after: string }>(
      `SELECT after FROM audit_data WHERE tenant_id = ${quote} AND seq = 9`,
    )
    await tamper(`UPDATE audit_data SET after = '{}' WHERE tenant_id = ${quote} AND seq = 9`, 'audit_data_fixed')
    expect((await verify()).firstBroken).toMatchObject({ seq: 9, reason: 'the before/after data was altered' })
    await tamper(
      `UPDATE audit_data SET after = '${kept?.after.replaceAll("'", "''")}' WHERE tenant_id = ${quote} AND seq = 9`,
      'audit_data_fixed',
    )
    expect((await verify()).intact).toBe(true)

    await tamper(`UPDATE audit SET action = 'nothing.happened' WHERE tenant_id = ${quote} AND seq = 7`, 'audit_fixed')
    expect((await verify()).firstBroken).toMatchObject({ seq: 7, reason: 'the entry was altered' })
  })

  test('a check of the audit accepts clear text that the program erased, and none that was removed from outside', async () => {
    const verifyOther = async () => (await app.call('GET', '/v1/audit/verify', { as: other.as.admin })).body
    const ctx = systemCtx(app.platform, other.tenantId, 'test')
    const remove = 'DELETE FROM audit_data WHERE tenant_id = ?1 AND seq = ?2'
    await ctx.write('test.erase', (tx) => {
      tx.eraseWords(() => void tx.execute(remove, [3]))
      return null
    })
    expect((await verifyOther()).intact).toBe(true)
    await app.platform.writer.submit(() => app.platform.connection.run(remove, [other.tenantId, 4]))
    // a later erasure by the program does not hide the removal
    await ctx.write('test.erase', (tx) => {
      tx.eraseWords(() => void tx.execute(remove, [5]))
      return null
    })
    expect((await verifyOther()).firstBroken).toMatchObject({ seq: 4, reason: 'the before/after data was removed' })
  })

  test('a check of the audit reports a tail that was cut off, whatever happened to the sealed head', async () => {
    const third = await app.firm('gamma')
    const verifyThird = async (anchor?: string) =>
      (
        await app.call('GET', `/v1/audit/verify${anchor === undefined ? '' : `?anchor=${anchor}`}`, {
          as: third.as.admin,
        })
      ).body
    const { connection, writer } = app.platform
    const id = third.tenantId
    const { head } = await verifyThird()
    expect(head).toMatch(/^\d+:[\w-]{43}$/)
    const run = { platform: app.platform, signal: new AbortController().signal }
    expect(await anchorAudit.run(run)).toContain('anchored')
    expect(await anchorAudit.run(run)).toBeNull()
    const sealed = connection.get<Record<string, string | number>>('SELECT * FROM audit_heads WHERE tenant_id = ?', [
      id,
    ])
    await app.call('POST', '/v1/traders', { as: third.as.operator, body: { email: 'ada@x.test' } })
    expect(await verifyThird(head)).toMatchObject({ intact: true, anchored: true })
    expect((await verifyThird(`1:${'x'.repeat(43)}`)).anchored).toBe(false)
    const odd = await app.call('GET', '/v1/audit/verify?anchor=last', { as: third.as.admin })
    expect([odd.status, odd.body.errors[0].path]).toEqual([422, 'query.anchor'])
    const last = (await verifyThird()).head
    const [seq = ''] = last.split(':')
    await writer.submit(() => {
      const triggers = ['audit_kept', 'audit_data_erased'].map((name) => ({
        name,
        sql: connection.get<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?', [name])?.sql ?? '',
      }))
      for (const { name } of triggers) connection.raw.run(`DROP TRIGGER ${name}`)
      connection.raw.run(`DELETE FROM audit_data WHERE tenant_id = '${id}' AND seq = ${seq}`)
      connection.raw.run(`DELETE FROM audit WHERE tenant_id = '${id}' AND seq = ${seq}`)
      for (const { sql } of triggers) connection.raw.run(sql)
    })
    expect((await verifyThird()).firstBroken).toMatchObject({ reason: 'the last entries of the log are missing' })
    // an older head fits the shorter log, so only an anchor that left the machine shows the loss
    const restore = 'UPDATE audit_heads SET seq = ?, hash = ?, mac = ? WHERE tenant_id = ?'
    await writer.submit(() => connection.run(restore, [sealed?.seq ?? 0, sealed?.hash ?? '', sealed?.mac ?? '', id]))
    expect(await verifyThird(last)).toMatchObject({ intact: true, anchored: false })
    await writer.submit(() => connection.run("UPDATE audit_heads SET mac = 'x' WHERE tenant_id = ?", [id]))
    expect((await verifyThird()).firstBroken).toMatchObject({ reason: 'the sealed head was altered' })
    await writer.submit(() => connection.run('DELETE FROM audit_heads WHERE tenant_id = ?', [id]))
    expect((await verifyThird()).firstBroken).toMatchObject({ reason: 'the sealed head is missing' })
  })
})
