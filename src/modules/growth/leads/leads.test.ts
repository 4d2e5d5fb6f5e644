import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

let count = 0
const create = (body: object = {}) => {
  count += 1
  return app.call('POST', '/v1/leads', {
    as: firm.as.operator,
    body: { email: `lead${count}@x.test`, firstName: 'Lea', source: 'fair', ...body },
  })
}
const patch = (id: string, body: object, as = firm.as.operator) => app.call('PATCH', `/v1/leads/${id}`, { as, body })
const convert = (id: string, as = firm.as.operator) => app.call('POST', `/v1/leads/${id}/convert`, { as })

describe('leads', () => {
  test('a lead is captured once: by lead-generation id, then e-mail, then phone', async () => {
    firm.effects()
    const first = await create({ email: 'A@x.test', phone: '+357 99 123456', leadGenId: 'g1' })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ email: 'a@x.test', phone: '+35799123456', status: 'new', source: 'fair' })
    expect(firm.effects()).toEqual({ events: ['lead.created'], actions: ['lead.create'] })
    for (const [body, path] of [
      [{ leadGenId: 'g1' }, 'leadGenId'],
      [{ email: 'a@X.test' }, 'email'],
      [{ phone: '+35799123456' }, 'phone'],
    ] as const) {
      const answer = await create(body)
      expect([answer.status, answer.body.errors[0].path]).toEqual([409, path])
    }
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect(
      (await app.call('POST', '/v1/leads', { as: other.as.operator, body: { email: 'a@x.test', leadGenId: 'g1' } }))
        .status,
    ).toBe(201)
  })

  test('a lead needs an address or a number; a 422 names the wrong field', async () => {
    for (const [body, path] of [
      [{ email: null }, 'email'],
      [{ phone: 'abc de' }, 'phone'],
      [{ country: 'QQ' }, 'country'],
      [{ assignedTo: other.as.operator.id }, 'assignedTo'],
      [{ surprise: 1 }, 'surprise'],
    ] as const) {
      const answer = await create(body)
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
    }
  })

  test('a lead moves through its states; its source stays; only convert makes it converted', async () => {
    const { id } = (await create()).body
    expect((await patch(id, { status: 'contacted', assignedTo: firm.as.operator.id })).body.status).toBe('contacted')
    expect((await patch(id, { source: 'other' })).status).toBe(422)
    expect((await patch(id, { status: 'converted' })).status).toBe(422)
    expect((await patch(id, { status: 'junk' })).status).toBe(200)
    expect((await patch(id, { status: 'qualified' })).status).toBe(409)
    expect((await convert(id)).body.code).toBe('leads.not_convertible')
    expect((await patch(id, { status: 'new' }, other.as.operator)).status).toBe(404)
    expect((await app.call('DELETE', `/v1/leads/${id}`, { as: firm.as.operator })).status).toBe(403)
    expect((await app.call('DELETE', `/v1/leads/${id}`, { as: firm.as.manager })).status).toBe(204)
    expect((await app.call('GET', `/v1/leads/${id}`, { as: firm.as.viewer })).status).toBe(404)
    firm.effects()
  })

  test('a lead cannot take another lead’s address', async () => {
    const post = (body: object) => app.call('POST', '/v1/leads', { as: firm.as.operator, body })
    await post({ email: 'first@twins.test' })
    const second = await post({ email: 'second@twins.test' })
    const change = (body: object) => app.call('PATCH', `/v1/leads/${second.body.id}`, { as: firm.as.operator, body })
    const answer = await change({ email: 'First@Twins.test' })
    expect([answer.status, answer.body.errors[0].path]).toEqual([409, 'email'])
    expect((await change({ email: 'second@twins.test', note: 'x' })).status).toBe(200)
    firm.effects()
  })

  test('a lead becomes a client once: the events come in order, and repeating does nothing', async () => {
    const { id } = (await create({ country: 'CY', phone: '+35799000111' })).body
    firm.effects()
    const answers = await Promise.all(Array.from({ length: 20 }, () => convert(id)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.traderId)).size).toBe(1)
    expect(firm.effects()).toEqual({
      events: ['lead.converted', 'trader.created'],
      actions: ['trader.create', 'lead.convert'],
    })
    const trader = await app.call('GET', `/v1/traders/${answers[0]?.body.traderId}`, { as: firm.as.operator })
    expect(trader.body).toMatchObject({ leadId: id, source: 'fair', country: 'CY', phone: '+35799000111' })
    expect((await patch(id, { status: 'new' })).status).toBe(409)
  })

  test('a converted lead is linked to the client who has its e-mail already', async () => {
    const traderId = await firm.trader({ email: 'known@x.test' })
    const { id } = (await create({ email: 'Known@x.test' })).body
    firm.effects()
    expect((await convert(id)).body).toMatchObject({
      traderId,
      created: false,
      lead: { status: 'converted', traderId },
    })
    expect(firm.effects().events).toEqual(['lead.converted'])
  })

  test('a lead without an e-mail address cannot become a client', async () => {
    const { id } = (await create({ email: null, phone: '+35799777888' })).body
    expect((await convert(id)).body.code).toBe('leads.no_email')
    firm.effects()
  })

  test('leads are assigned in bulk, each separately', async () => {
    const [a, b] = [(await create()).body.id, (await create()).body.id]
    const answer = await app.call('POST', '/v1/leads/bulk-assign', {
      as: firm.as.manager,
      body: { ids: [a, 'led_none', b], assignedTo: firm.as.operator.id },
    })
    expect(answer.body.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, true])
    expect(answer.body.results[0]).toEqual({ id: a, ok: true, version: 2, assignedBefore: null })
    const list = await app.call('GET', `/v1/leads?assignedTo=${firm.as.operator.id}&limit=2`, { as: firm.as.viewer })
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([b, a])
    const { manager, operator, viewer } = firm.as
    const several = await app.call('GET', `/v1/leads?assignedTo=${manager.id},${operator.id}&limit=2`, { as: viewer })
    expect(several.body.data).toEqual(list.body.data)
    const free = (await create()).body.id
    const ids = async (query: string): Promise<string[]> => {
      const { body } = await app.call('GET', `/v1/leads?limit=3&assignedTo=${query}`, { as: viewer })
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect((await ids('none'))[0]).toBe(free)
    expect(await ids('none')).not.toContain(b)
    expect(await ids(`none,${operator.id}`)).toEqual([free, b, a])
    const empty = await app.call('GET', `/v1/leads?assignedTo=${operator.id},`, { as: viewer })
    expect([empty.status, empty.body.errors[0].path]).toEqual([422, 'query.assignedTo'])
    expect((await app.call('GET', '/v1/leads?q=lea', { as: firm.as.viewer })).body.data.length).toBeGreaterThan(2)
    firm.effects()
  })
})

test('a removed lead is restored within 30 days, unless the same lead was captured again', async () => {
  const { id } = (await create({ email: 'gone@x.test' })).body
  const restore = (as = firm.as.manager) => app.call('POST', `/v1/leads/${id}/restore`, { as })
  expect((await restore()).body.code).toBe('leads.not_deleted')
  const remove = () => app.call('DELETE', `/v1/leads/${id}`, { as: firm.as.manager })
  await remove()
  expect((await restore(firm.as.operator)).status).toBe(403)
  expect((await restore(other.as.manager)).status).toBe(404)
  firm.effects()
  expect((await restore()).body).toMatchObject({ id, email: 'gone@x.test', status: 'new' })
  expect(firm.effects()).toEqual({ events: [], actions: ['lead.restore'] })
  await remove()
  const again = (await create({ email: 'gone@x.test' })).body
  const refused = await restore()
  expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([409, 'duplicate', 'email'])
  await app.call('DELETE', `/v1/leads/${again.id}`, { as: firm.as.manager })
  const now = app.clock.now()
  app.clock.advance(30 * 24 * 3_600_000 + 1)
  expect((await restore()).body.code).toBe('leads.restore_late')
  app.clock.set(now)
  firm.effects()
})

test('an assignment of leads is undone by what it answers; an unchanged lead has nothing to undo', async () => {
  const [mine, free] = [(await create({ assignedTo: firm.as.manager.id })).body.id, (await create()).body.id]
  const assign = (assignedTo: string | null) =>
    app.call('POST', '/v1/leads/bulk-assign', { as: firm.as.manager, body: { ids: [mine, free], assignedTo } })
  const { results } = (await assign(firm.as.manager.id)).body
  expect(results).toEqual([
    { id: mine, ok: true },
    { id: free, ok: true, version: 2, assignedBefore: null },
  ])
  const undo = (version: number) =>
    app.call('PATCH', `/v1/leads/${free}`, {
      as: firm.as.manager,
      body: { assignedTo: null },
      headers: { 'if-match': `"${version}"` },
    })
  await patch(free, { note: 'A colleague wrote meanwhile' })
  expect((await undo(2)).status).toBe(412)
  expect((await undo(3)).body).toMatchObject({ assignedTo: null, note: 'A colleague wrote meanwhile' })
  firm.effects()
})

test('leads are sorted by name and by the way to a client, page by page', async () => {
  const people: readonly [object, string[]][] = [
    [{ firstName: 'Bo', lastName: 'young' }, ['junk']],
    [{ firstName: 'Cy', lastName: 'Adams' }, []],
    [{ firstName: null, email: 'lone@sorted.test' }, ['contacted', 'qualified']],
    [{ firstName: null, email: null, phone: '+35799777001' }, ['contacted']],
  ]
  for (const [person, steps] of people) {
    const { id } = (await create({ source: 'sorted', ...person })).body
    for (const status of steps) await patch(id, { status })
  }
  type Listed = { firstName: string | null; email: string | null; phone: string | null; status: string }
  const read = async (sort: string, cursor = ''): Promise<Listed[]> => {
    const query = `source=sorted&limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`
    const { data, nextCursor } = (await app.call('GET', `/v1/leads?${query}`, { as: firm.as.viewer })).body
    return nextCursor ? [...data, ...(await read(sort, nextCursor))] : data
  }
  const byName = ['+35799…', 'Cy', 'lone@sorted.test', 'Bo']
  const names = (rows: Listed[]) => rows.map(({ firstName, email }) => firstName ?? email ?? '+35799…')
  expect(names(await read('name'))).toEqual(byName)
  expect(names(await read('-name'))).toEqual(byName.toReversed())
  const byStatus = ['new', 'contacted', 'qualified', 'junk']
  expect((await read('status')).map(({ status }) => status)).toEqual(byStatus)
  expect((await read('-status')).map(({ status }) => status)).toEqual(byStatus.toReversed())
  firm.effects()
})

describe('an import of leads', () => {
  const send = (body: object) =>
    app.call('POST', '/v1/leads/import', {
      as: firm.as.manager,
      body: { source: 'list', mapping: { Mail: 'email', Name: 'firstName', Tel: 'phone' }, ...body },
    })
  const csv = [
    'Mail,Name,Tel',
    'i1@x.test,Ann,',
    'i2@x.test,"Bo, Jr.",+35799555001',
    'I1@x.test,Ann again,',
    'not an address,Cy,',
    ',No,',
    ',Phone only,+35799555002',
    'i9@x.test,Dup,+35799555001',
  ].join('\n')

  test('a dry run of an import of leads reports what would happen and changes nothing; the import does it', async () => {
    firm.effects()
    const expected = { rows: 7, created: 3, duplicates: 2, failed: 2 }
    const dry = await send({ csv, dryRun: true })
    expect(dry.body).toMatchObject({ dryRun: true, ...expected })
    expect(dry.body.errors).toMatchObject([
      { row: 5, path: 'email' },
      { row: 6, path: 'email' },
    ])
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect((await send({ csv })).body).toMatchObject({ dryRun: false, ...expected })
    expect(firm.effects().events).toEqual(['lead.created', 'lead.created', 'lead.created'])
    expect((await send({ csv })).body).toMatchObject({ created: 0, duplicates: 5, failed: 2 })
  })

  test('a dry run of an import of leads finds duplicates across its batches', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => `batch${n % 120}@x.test,N,`)
    const dry = await send({ csv: ['Mail,Name,Tel', ...rows].join('\n'), dryRun: true })
    expect(dry.body).toMatchObject({ created: 120, duplicates: 130 })
  })

  test('an import of ten thousand invalid rows lets other requests run; 200 errors are listed, all are counted', async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `x${n}@,${'N'.repeat(20)},1`)
    let turns = 0
    let next = setImmediate(function count() {
      turns += 1
      next = setImmediate(count)
    })
    const answer = await send({ csv: ['Mail,Name,Tel', ...rows].join('\n'), dryRun: true })
    clearImmediate(next)
    expect(answer.body).toMatchObject({ rows: 10_000, created: 0, failed: 10_000 })
    expect(answer.body.errors).toHaveLength(200)
    expect(turns).toBeGreaterThan(90)
  })

  test('an import of leads ignores invisible characters', async () => {
    const { body } = await send({
      csv: 'Mail,Name\nvt@lines.test,An\u000bna\n',
      mapping: { Mail: 'email', Name: 'firstName' },
    })
    expect(body).toMatchObject({ created: 1, failed: 0 })
    const [lead] = (await app.call('GET', '/v1/leads?q=vt@lines.test', { as: firm.as.viewer })).body.data
    expect(lead.firstName).toBe('An na')
  })

  test('an import of leads names a row by its line in the file', async () => {
    const answer = await send({
      csv: 'Mail,Name\n\n"a@lines.test","An\nn"\nnot an address,Bo\n',
      mapping: { Mail: 'email' },
      dryRun: true,
    })
    expect(answer.body.errors).toMatchObject([{ row: 5, path: 'email' }])
  })

  test('an import of leads reads countries as people write them, and keeps unreadable values as text', async () => {
    const file = 'Fair 2026\n\nMail,Country,Tel\nuk@lines.test,UK,\n,,\nat@lines.test,Atlantis,none\n'
    const mapping = { Mail: 'email', Country: 'country', Tel: 'phone' }
    const { body } = await send({ csv: file, mapping })
    expect(body).toMatchObject({ rows: 2, created: 2, failed: 0, columns: ['Mail', 'Country', 'Tel'] })
    expect(body.notes.map(({ row, path }: { row: number; path: string }) => `${row} ${path}`).toSorted()).toEqual([
      '6 country',
      '6 phone',
    ])
    const find = async (q: string) => (await app.call('GET', `/v1/leads?q=${q}`, { as: firm.as.viewer })).body.data[0]
    expect(await find('uk@lines.test')).toMatchObject({ country: 'GB', metadata: {} })
    expect(await find('at@lines.test')).toMatchObject({
      country: null,
      phone: null,
      metadata: { country: 'Atlantis', phone: expect.stringContaining('none') },
    })
  })

  test('an import of leads accepts columns separated by semicolons', async () => {
    const csv = 'Mail;Name\nsemi@lines.test;"Lee; Ann"\n'
    const answer = await send({ csv, mapping: { Mail: 'email', Name: 'lastName' }, dryRun: true })
    expect(answer.body).toMatchObject({ rows: 1, created: 1, columns: ['Mail', 'Name'] })
  })

  test('an import of leads is a 422 for an unknown column, a field filled twice, and a text that is no CSV', async () => {
    expect((await send({ csv, mapping: { Nope: 'email' } })).body.errors[0].path).toBe('mapping.Nope')
    expect((await send({ csv, mapping: { Mail: 'email', Name: 'email' } })).body.errors[0].code).toBe('repeated')
    expect((await send({ csv: 'a,b\n"unclosed' })).body.errors[0].path).toBe('csv')
    expect((await send({ csv: 'a,b\n1,"SECRET" "x"' })).body.errors).toEqual([
      { path: 'csv', code: 'csv', message: 'cannot be read as CSV from line 2, column 2 on' },
    ])
    expect((await send({ csv, mapping: { Mail: 'status' } })).status).toBe(422)
  })
})
