import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { lettersTo } from '../../../testing/sign-in.ts'

const PASSWORD = 'correct horse battery'
let app: TestApp
let firm: Firm
let firms = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  firms += 1
  firm = await app.firm(`names${firms}`)
  for (const [role, displayName] of [
    ['manager', 'Ingrid Solheim'],
    ['operator', 'Rafael Duarte'],
  ] as const)
    expect((await rename(firm.as[role].id, displayName, firm.as.owner)).status).toBe(200)
  app.clock.advance(1000)
  firm.effects()
})
afterAll(() => app.close())

const rename = (id: string, displayName: string, as: Caller) =>
  app.call('PATCH', `/v1/users/${id}`, { as, body: { displayName } })
const renameSelf = (displayName: string, as: Caller) => app.call('PATCH', '/v1/auth/me', { as, body: { displayName } })
let count = 0
const invite = (displayName: string, body: object = {}) => {
  count += 1
  const input = { email: `name${count}@x.test`, displayName, roles: ['viewer'], ...body }
  return app.call('POST', '/v1/users/invite', { as: firm.as.owner, body: input })
}
const readName = async (id: string) =>
  (await app.call('GET', `/v1/users/${id}`, { as: firm.as.owner })).body.displayName as string
const letters = () => lettersTo(app, `owner@${firm.slug}.test`, firm)

describe('the name of a colleague', () => {
  test.each([
    ['the same', 'Ingrid Solheim'],
    ['in another case', 'INGRID solheim'],
    ['with an l for an I', 'lngrid Solheim'],
    ['with Cyrillic letters', 'Ingrіd Sоlhеіm'],
    ['with Greek letters', 'Ιngrid Sοlheim'],
    ['with an accent and a blank more', 'Íngrid  Sólheim'],
    ['without blanks, with a sign', 'Ingrid-Solheim'],
    ['in full width', 'Ｉｎｇｒｉｄ Ｓｏｌｈｅｉｍ'],
  ])('a colleague’s name %s is refused to another colleague', async (_, name) => {
    for (const answer of [await invite(name), await rename(firm.as.operator.id, name, firm.as.owner)]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'users.name_taken'])
      expect(answer.body.errors[0].path).toBe('displayName')
    }
    expect((await renameSelf(name, firm.as.viewer)).body.code).toBe('users.name_taken')
    expect(firm.effects().actions).toEqual([])
  })

  test('a name may be spelled differently by its holder, and used in another firm', async () => {
    expect((await renameSelf('INGRID SOLHEIM', firm.as.manager)).status).toBe(200)
    const other = await app.firm(`others${firms}`)
    expect((await rename(other.as.viewer.id, 'Ingrid Solheim', other.as.owner)).status).toBe(200)
  })

  test('a name must be free when an invitation is accepted; if it is taken, the link stays valid', async () => {
    const { body } = await invite('New Person', { roles: ['operator'] })
    const token = /token=(\S+)/.exec(lettersTo(app, body.email, firm).at(-1) ?? '')?.[1]
    const accept = (displayName: string) =>
      app.call('POST', '/v1/users/accept-invite', { body: { token, password: PASSWORD, displayName } })
    const taken = await accept('rafael duarte')
    expect([taken.status, taken.body.code]).toEqual([409, 'users.name_taken'])
    expect((await accept('Really New')).status).toBe(200)
    expect(await readName(body.id)).toBe('Really New')
  })

  test('a name stays taken after its holder leaves, but is free if they never signed in', async () => {
    const { body: acted } = await invite('Gone Away', { password: PASSWORD })
    await app.call('POST', '/v1/auth/login', { body: { email: acted.email, password: PASSWORD } })
    const { body: never } = await invite('Never Came')
    for (const { id } of [acted, never])
      expect((await app.call('DELETE', `/v1/users/${id}`, { as: firm.as.owner })).status).toBe(204)
    expect((await invite('Gone Away')).body.code).toBe('users.name_taken')
    expect((await invite('Never Came')).status).toBe(201)
  })
})

describe('the change of a name', () => {
  test('an admin may not rename colleagues, and the refusal says that an owner may', async () => {
    for (const role of ['manager', 'operator'] as const) {
      const answer = await rename(firm.as[role].id, 'Somebody New', firm.as.admin)
      expect([answer.status, answer.body.code]).toEqual([403, 'users.name_of_another'])
      expect(answer.body.detail).toContain('owner')
    }
    // the admin may still change other things, such as disabling a colleague
    const same = { displayName: 'Ingrid Solheim', status: 'disabled' }
    const disabled = await app.call('PATCH', `/v1/users/${firm.as.manager.id}`, { as: firm.as.admin, body: same })
    expect(disabled.status).toBe(200)
  })

  test('an owner cannot swap two colleagues’ names, not even by way of a third name', async () => {
    expect((await rename(firm.as.manager.id, 'Third Name', firm.as.owner)).status).toBe(200)
    app.clock.advance(1000)
    const swapped = await rename(firm.as.operator.id, 'Ingrid Solheim', firm.as.owner)
    expect([swapped.status, swapped.body.code]).toEqual([409, 'users.name_taken'])
    // a colleague may get back their own former name
    expect((await rename(firm.as.manager.id, 'Ingrid Solheim', firm.as.owner)).status).toBe(200)
  })

  test('every role may change its own name, and every owner is mailed both names', async () => {
    const before = letters().length
    const answer = await renameSelf('Beatrix Auditor', firm.as.viewer)
    expect(answer.body).toMatchObject({ id: firm.as.viewer.id, displayName: 'Beatrix Auditor' })
    expect(answer.body.formerNames).toEqual([
      { name: `viewer of ${firm.slug}`, until: new Date(app.clock.now()).toISOString() },
    ])
    expect(firm.effects()).toEqual({ events: [], actions: ['user.update'] })
    const told = letters().slice(before)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(`viewer of ${firm.slug}`)
    expect(told[0]).toContain('is called Beatrix Auditor')
    // the same name again changes nothing
    expect((await renameSelf('Beatrix Auditor', firm.as.viewer)).status).toBe(200)
    expect(letters()).toHaveLength(before + 1)
  })

  test('a key, a client and a session without a fresh sign-in cannot change a name; a wrong name is a 422', async () => {
    const key = await firm.key(['users:write'], 'admin')
    expect((await renameSelf('A Robot', key)).body.code).toBe('users.not_by_key')
    const client = await firm.traderSession(await firm.trader())
    expect((await renameSelf('A Client', client)).status).toBe(403)
    expect((await app.call('PATCH', '/v1/auth/me', { body: { displayName: 'Nobody' } })).status).toBe(401)
    for (const name of ['', ' ', 'two\nlines', 'x'.repeat(101)])
      expect((await renameSelf(name, firm.as.viewer)).status).toBe(422)
  })
})

describe('an act shows the name of its time', () => {
  const readEntries = async (query: string) =>
    (await app.call('GET', `/v1/audit?${query}`, { as: firm.as.owner })).body.data as { actorName: string }[]

  test('an act shows the name of its time in the audit, in its file and in a client’s timeline', async () => {
    const { manager, owner } = firm.as
    const { body: client } = await app.call('POST', '/v1/traders', { as: manager, body: { email: 'a@x.test' } })
    app.clock.advance(1000)
    await renameSelf('Ingrid Berg', manager)
    app.clock.advance(1000)
    await app.call('PATCH', `/v1/traders/${client.id}`, { as: manager, body: { firstName: 'Ana' } })
    const names = async () => (await readEntries(`entityId=${client.id}`)).map(({ actorName }) => actorName)
    expect(await names()).toEqual(['Ingrid Berg', 'Ingrid Solheim'])
    const file = await app.call('GET', `/v1/audit/export.csv?entityId=${client.id}`, { as: owner })
    expect(file.text).toMatch(/Ingrid Berg[\s\S]*Ingrid Solheim/)
    const timeline = await app.call('GET', `/v1/traders/${client.id}/timeline`, { as: owner })
    expect(timeline.body.data.map(({ actorName }: { actorName: string }) => actorName)).toEqual([
      'Ingrid Berg',
      'Ingrid Solheim',
    ])
    // this also holds for the colleague to whom a client was assigned
    await app.call('PATCH', `/v1/traders/${client.id}`, { as: owner, body: { assignedTo: firm.as.operator.id } })
    app.clock.advance(1000)
    await renameSelf('Rafael Prado', firm.as.operator)
    app.clock.advance(1000)
    await app.call('PATCH', `/v1/traders/${client.id}`, { as: owner, body: { assignedTo: null } })
    const given = await app.call('GET', `/v1/traders/${client.id}/timeline?limit=2`, { as: owner })
    expect(given.body.data.map((entry: { names: object }) => Object.values(entry.names))).toEqual([
      ['Rafael Prado'],
      ['Rafael Duarte'],
    ])
    // the rename itself shows the former name; a second rename changes neither entry
    expect((await readEntries(`action=user.update&actorId=${manager.id}`))[0]?.actorName).toBe('Ingrid Solheim')
    app.clock.advance(1000)
    await rename(manager.id, 'Ingrid Holm', owner)
    expect((await names()).slice(-2)).toEqual(['Ingrid Berg', 'Ingrid Solheim'])
  })

  test('a decision on a withdrawal shows the decider’s name of that time', async () => {
    const { client, ask } = createDesk(() => ({ app, firm }))
    const { body: waiting } = await ask(await client('100'), '10')
    const path = `/v1/withdrawals/${waiting.id}`
    const approved = await app.call('POST', `${path}/approve`, { as: firm.as.manager, body: { note: 'seen' } })
    expect(approved.status).toBe(200)
    app.clock.advance(1000)
    await renameSelf('Ingrid Berg', firm.as.manager)
    app.clock.advance(1000)
    const { body } = await app.call('GET', path, { as: firm.as.owner })
    expect(body.review.decisions.map(({ name }: { name: string }) => name)).toEqual(['Ingrid Solheim'])
  })

  test('the SQL page has former names with their times', async () => {
    const sql = `SELECT name FROM user_names WHERE user_id = '${firm.as.manager.id}'`
    const answer = await app.call('POST', '/v1/admin/reports/sql', { as: firm.as.owner, body: { sql } })
    expect([answer.status, answer.body.rows]).toEqual([200, [[`manager of ${firm.slug}`]]])
  })
})

test('a name must be in scripts that people mix, without look-alikes, and not like the name of the system', async () => {
  const own = (displayName: string) => app.call('PATCH', '/v1/auth/me', { as: firm.as.viewer, body: { displayName } })
  const { displayName } = (await app.call('GET', `/v1/users/${firm.as.admin.id}`, { as: firm.as.owner })).body
  expect((await own(displayName.replace('a', '\u0251'))).body.code).toBe('users.name_taken')
  for (const name of ['System', 'ѕystem', 'Brokerbase']) expect((await own(name)).body.code).toBe('users.name_taken')
  // invisible fillers and letters of another script are refused
  for (const name of [`${displayName}\u3164`, `${displayName}\uffa0`, 'Mark\u0585s', 'ꓰlena Markou', 'ᎬᏞᎬNᎪ'])
    expect((await own(name)).body.errors).toMatchObject([{ path: 'displayName', code: 'format' }])
  // symbols, clicks and digits of other scripts look like Latin letters
  for (const name of ['So|heim', 'So\u01c0heim', 'So\u0661heim', 'Solh\u212eim', 'Solh\uab32im'])
    expect((await own(name)).body.errors).toMatchObject([{ path: 'displayName', code: 'format' }])
})

test('a name may be in any script that people use', async () => {
  for (const [index, displayName] of [
    'ジョージ・スミス',
    '佐々木',
    'Kaʻiulani Park',
    'Марʼяна',
    'Amélie O’Brien-Łuć',
    'Əli',
    'אבי',
    'أحمد',
    'አበበ',
    'राम',
    'रमा',
    'かな',
    'がな',
    '김민준',
    'ලංකා',
  ].entries()) {
    const body = { email: `called${index}@x.test`, displayName, roles: ['viewer'] }
    const invited = await app.call('POST', '/v1/users/invite', { as: firm.as.owner, body })
    expect([displayName, invited.status]).toEqual([displayName, 201])
  }
})

test('a person’s name changes at most three times a day, and never by a key', async () => {
  const rename = (displayName: string) =>
    app.call('PATCH', '/v1/auth/me', { as: firm.as.operator, body: { displayName } })
  const status = async (name: string) => (await rename(name)).status
  app.clock.advance(25 * 3_600_000)
  expect([await status('Ada'), await status('Bea'), await status('Cleo')]).toEqual([200, 200, 200])
  expect((await rename('Dora')).body.code).toBe('users.renamed_often')
  app.clock.advance(25 * 3_600_000)
  expect(await status('Dora')).toBe(200)
  const key = await firm.key(['users:write'], 'owner')
  const body = { displayName: 'Edna' }
  const byKey = await app.call('PATCH', `/v1/users/${firm.as.manager.id}`, { as: key, body })
  expect([byKey.status, byKey.body.code]).toEqual([403, 'users.not_by_key'])
})
