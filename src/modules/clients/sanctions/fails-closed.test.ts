import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { DAY, MINUTE, toIso } from '../../../platform/clock.ts'
import { createReader } from '../../../platform/db/reader.ts'
import { taskRunner } from '../../../platform/query-runner/task.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { euList, unList } from '../../../testing/fakes/sanctions-lists.ts'
import { inChildren } from '../../../testing/tasks-here.ts'
import { turn } from '../../../testing/until.ts'
import { screenTraders } from './sanctions.jobs.ts'
import { screeningState } from './sanctions.queries.ts'

// the tests start many children and share the machine
setDefaultTimeout(180_000)

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const { client, ask, act } = createDesk(() => ({ app, firm }))
const load = (content: string, source = 'un', body: object = {}) =>
  app.call('POST', '/v1/sanctions/lists', { as: firm.as.admin, body: { source, version: '1', content, ...body } })
const screen = () => screenTraders.run({ platform: app.platform, signal: new AbortController().signal })
const sql = (text: string, params: string[] = []) =>
  app.platform.writer.submit(() => app.platform.connection.run(text, params))
const rename = (traderId: string, lastName: string, firstName = 'Test') =>
  app.call('PATCH', `/v1/traders/${traderId}`, { as: firm.as.operator, body: { firstName, lastName } })
const lists = async () => (await app.call('GET', '/v1/sanctions/lists', { as: firm.as.manager })).body.data
const readMailText = async ({ id }: { id: string }) =>
  (await app.call('GET', `/v1/mails/${id}`, { as: firm.as.owner })).body.text
const summary = async (as: Caller = firm.as.manager) =>
  (await app.call('GET', '/v1/admin/notifications/summary', { as })).body
const findWalletId = async (traderId: string) =>
  (await app.call('GET', `/v1/wallets?traderId=${traderId}`, { as: firm.as.viewer })).body.data[0].id
const give = async (from: string, to: string) =>
  app.call('POST', '/v1/transfers', {
    as: firm.as.manager,
    body: { fromWalletId: await findWalletId(from), toWalletId: await findWalletId(to), amount: '1' },
  })
const readScreeningState = (traderId: string) =>
  screeningState(createReader(app.platform.reader, { tenantId: firm.tenantId, traderId: null }), traderId)

describe('money of a client waits for the screening', () => {
  test('money waits at request, approval and payment, from the loading of a list until each client was compared with it', async () => {
    const traderId = await client()
    const other = await client()
    const [early, late, paid] = await Promise.all(['1', '2', '3'].map((amount) => ask(traderId, amount)))
    await act(paid?.body.id, 'approve', firm.as.manager)
    expect((await load(unList('Yusuf Omar'))).status).toBe(201)
    for (const answer of [
      await ask(traderId, '10'),
      await act(early?.body.id, 'approve', firm.as.manager),
      await act(paid?.body.id, 'pay', firm.as.manager, { paymentReference: 'W1' }),
      await give(traderId, other),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'screening_pending'])
    expect((await act(late?.body.id, 'reject', firm.as.manager, { detail: 'no' })).status).toBe(200)
    await screen()
    expect((await ask(traderId, '10')).status).toBe(201)
    expect((await act(early?.body.id, 'approve', firm.as.manager)).status).toBe(200)
    expect((await act(paid?.body.id, 'pay', firm.as.manager, { paymentReference: 'W1' })).status).toBe(200)
    expect((await give(traderId, other)).status).toBe(201)
  })

  test('money of a client waits after the client’s creation and after a change; that of other clients does not', async () => {
    const standing = await client()
    await load(unList('Yusuf Omar'))
    await screen()
    const fresh = await client()
    expect((await ask(fresh, '1')).body.code).toBe('screening_pending')
    expect((await ask(standing, '1')).status).toBe(201)
    const towards = await give(standing, fresh)
    expect([towards.status, towards.body.code]).toEqual([409, 'screening_pending'])
    await screen()
    expect((await ask(fresh, '1')).status).toBe(201)
    for (const body of [
      { lastName: 'Other' },
      { firstName: 'Else' },
      { dateOfBirth: '1980-01-02' },
      { country: 'CY' },
    ]) {
      await app.call('PATCH', `/v1/traders/${standing}`, { as: firm.as.operator, body })
      expect([body, (await ask(standing, '1')).body.code]).toEqual([body, 'screening_pending'])
      expect((await ask(fresh, '1')).status).toBe(201)
      await screen()
    }
    // a change of fields other than name, birth and country needs no screening
    await app.call('PATCH', `/v1/traders/${standing}`, { as: firm.as.operator, body: { tags: ['vip'] } })
    expect((await ask(standing, '1')).status).toBe(201)
    // every change of a name is noticed, even one made in SQL
    await sql("UPDATE traders SET last_name = 'Omar' WHERE id = ?", [standing])
    expect((await ask(standing, '1')).body.code).toBe('screening_pending')
  })

  test('money waits again if the client changes while their screening runs', async () => {
    const traderId = await client()
    await load(unList('Yusuf Omar'))
    await screen()
    await rename(traderId, 'Somebody')
    const running = screen()
    await rename(traderId, 'Omar', 'Yusuf')
    await running
    await screen()
    expect((await ask(traderId, '1')).body.code).toBe('withdrawals.sanctions_hit')
  })

  test('money waits for the screening only in a firm with a list: another firm’s list does not count', async () => {
    const traderId = await client()
    const foreign = await app.firm('beta')
    await app.call('POST', '/v1/sanctions/lists', {
      as: foreign.as.admin,
      body: { source: 'un', version: '1', content: unList('Yusuf Omar') },
    })
    expect((await ask(traderId, '1')).status).toBe(201)
    expect(readScreeningState(traderId)).toEqual({
      lists: 0,
      newestListAt: null,
      pending: false,
      openHits: 0,
      confirmedHits: 0,
    })
  })

  test('the state of a client’s screening says what was checked', async () => {
    const traderId = await client()
    await rename(traderId, 'Omar', 'Yusuf')
    await load(unList('Yusuf Omar'))
    app.clock.advance(MINUTE)
    await load(euList('Yusuf Omar'), 'eu')
    const newestListAt = app.clock.now()
    expect(readScreeningState(traderId)).toEqual({
      lists: 2,
      newestListAt,
      pending: true,
      openHits: 0,
      confirmedHits: 0,
    })
    await screen()
    const [hit] = (await app.call('GET', '/v1/sanctions/hits', { as: firm.as.manager })).body.data
    await app.call('POST', `/v1/sanctions/hits/${hit.id}/confirm`, { as: firm.as.manager, body: { reason: 'same' } })
    expect(readScreeningState(traderId)).toEqual({
      lists: 2,
      newestListAt,
      pending: false,
      openHits: 1,
      confirmedHits: 1,
    })
  })
})

describe('an open or confirmed hit stops money towards a client', () => {
  const withHit = async () => {
    const traderId = await client()
    await rename(traderId, 'Omar', 'Yusuf')
    await load(unList('Yusuf Omar'))
    await screen()
    const { data } = (await app.call('GET', `/v1/sanctions/hits?traderId=${traderId}`, { as: firm.as.manager })).body
    return { traderId, hit: String(data[0].id) }
  }
  const decide = (hit: string, what: string) =>
    app.call('POST', `/v1/sanctions/hits/${hit}/${what}`, { as: firm.as.manager, body: { reason: 'seen' } })
  const adjust = (traderId: string, direction: string) =>
    app.call('POST', '/v1/adjustments', {
      as: firm.as.manager,
      body: { traderId, currency: 'EUR', direction, amount: '1', reason: 'x' },
    })
  const agree = (id: string) => app.call('POST', `/v1/adjustments/${id}/approve`, { as: firm.as.admin, body: {} })

  test('a sanctions hit stops transfers and credits to the client; deposits are booked and stay', async () => {
    const giver = await client()
    const { traderId, hit } = await withHit()
    for (const decision of ['', 'confirm']) {
      if (decision) await decide(hit, decision)
      const moved = await give(giver, traderId)
      expect([moved.status, moved.body.code]).toEqual([409, 'sanctions.credit_blocked'])
      const credited = await adjust(traderId, 'credit')
      expect([credited.status, credited.body.code]).toEqual([409, 'sanctions.credit_blocked'])
      expect((await adjust(traderId, 'debit')).status).toBe(201)
    }
    const { body: deposit } = await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency: 'EUR', amount: '5', method: 'bank' },
    })
    expect((await app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: firm.as.manager })).status).toBe(200)
    for (const as of [firm.as.admin, firm.as.owner])
      await app.call('POST', `/v1/sanctions/hits/${hit}/clear`, { as, body: { reason: 'another birth date' } })
    expect((await give(giver, traderId)).status).toBe(201)
    expect((await adjust(traderId, 'credit')).status).toBe(201)
  })

  test('a client with a sanctions hit does not become the owner of an account with money', async () => {
    const giver = await client()
    const { traderId } = await withHit()
    const { body: account } = await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId: giver, platform: 'terminal5', currency: 'EUR', accountNumber: '77' },
    })
    const fund = { fromWalletId: await findWalletId(giver), toAccountId: account.id, amount: '5' }
    expect((await app.call('POST', '/v1/transfers', { as: firm.as.manager, body: fund })).status).toBe(201)
    const moved = await app.call('PATCH', `/v1/accounts/${account.id}`, { as: firm.as.manager, body: { traderId } })
    expect([moved.status, moved.body.code]).toEqual([409, 'accounts.in_use'])
  })

  test('a credit from before a sanctions hit is not approved after it', async () => {
    const traderId = await client()
    const asked = await adjust(traderId, 'credit')
    await rename(traderId, 'Omar', 'Yusuf')
    await load(unList('Yusuf Omar'))
    await screen()
    expect((await agree(asked.body.id)).body.code).toBe('sanctions.credit_blocked')
  })
})

describe('a load whose screening fails', () => {
  const spoil = (id: string) => sql("UPDATE sanctions_entries SET names = '5' WHERE list_id = ?", [id])
  const failing = async () => {
    const loaded = await load(unList('Karim Haddad', 'Anna Smirnova'))
    await spoil(loaded.body.id)
    return loaded.body.id as string
  }
  const run = async () => {
    await screen().catch(() => {})
  }

  test('a list whose screening fails three times is undone: the former applies, owners get a mail, a task stays, money moves', async () => {
    const listed = await client()
    await rename(listed, 'Omar', 'Yusuf')
    const before = await load(unList('Yusuf Omar'))
    await screen()
    const bad = await failing()
    const traderId = await client()
    firm.effects()
    for (const _ of [1, 2]) {
      await run()
      expect((await lists()).find(({ id }: { id: string }) => id === bad)).toMatchObject({ status: 'screening' })
      expect((await ask(traderId, '1')).body.code).toBe('screening_pending')
    }
    expect((await summary()).failedScreenings).toBe(0)
    await run()
    expect(await lists()).toMatchObject([
      { id: before.body.id, current: true, status: 'screened', failure: null },
      { id: bad, current: false, status: 'failed', screenedAt: null, failure: expect.stringContaining('three') },
    ])
    expect(firm.effects().actions.filter((action) => action.startsWith('sanctions'))).toEqual([
      'sanctions.fail',
      'sanctions.restore',
    ])
    const mails = (await app.call('GET', '/v1/mails', { as: firm.as.owner })).body.data
    expect(mails.map(({ recipient }: { recipient: string }) => recipient).sort()).toEqual([
      'founder@alpha.test',
      'owner@alpha.test',
    ])
    expect(mails[0].expiresAt).toBe(toIso(app.clock.now() + 7 * DAY))
    expect(await readMailText(mails[0])).toContain('The list before it is in use again.')
    expect((await summary()).failedScreenings).toBe(1)
    expect((await summary(firm.as.operator)).failedScreenings).toBeNull()
    // a client created meanwhile was compared with the former list, whose entries were kept
    expect((await ask(traderId, '1')).status).toBe(201)
    expect((await ask(listed, '1')).body.code).toBe('withdrawals.sanctions_hit')
    // the next successful load closes the task
    expect((await load(unList('Karim Haddad', 'Anna Smirnova'))).status).toBe(201)
    await screen()
    expect((await summary()).failedScreenings).toBe(0)
    expect(app.platform.reader.all('SELECT DISTINCT list_id AS id FROM sanctions_entries')).toHaveLength(1)
  })

  test('a list whose screening takes 30 minutes is undone; without a former list the firm has none', async () => {
    await failing()
    const traderId = await client()
    await run()
    app.clock.advance(30 * MINUTE - 1)
    await run()
    expect((await lists())[0]).toMatchObject({ status: 'screening' })
    app.clock.advance(1)
    expect(await screen()).toBeNull()
    expect((await lists())[0]).toMatchObject({
      current: false,
      status: 'failed',
      failure: expect.stringContaining('30'),
    })
    expect((await ask(traderId, '1')).status).toBe(201)
    expect(readScreeningState(traderId).lists).toBe(0)
    const [mail] = (await app.call('GET', '/v1/mails', { as: firm.as.owner })).body.data
    expect(await readMailText(mail)).toContain('There was no list of this source before')
  })

  test('a list whose screening fails does not delay another list or another firm', async () => {
    await failing()
    const good = await load(euList('Yusuf Omar'), 'eu')
    const foreign = await app.firm('beta')
    await app.call('POST', '/v1/sanctions/lists', {
      as: foreign.as.admin,
      body: { source: 'un', version: '1', content: unList('Yusuf Omar') },
    })
    await expect(screen()).rejects.toThrow()
    expect((await lists()).find(({ id }: { id: string }) => id === good.body.id).status).toBe('screened')
    const [theirs] = (await app.call('GET', '/v1/sanctions/lists', { as: foreign.as.manager })).body.data
    expect(theirs.status).toBe('screened')
  })

  test('a list that was never screened is not restored if the next load fails', async () => {
    const before = await load(unList('Yusuf Omar'))
    await screen()
    await load(unList('Yusuf Omar', 'Second Person'))
    const third = await load(unList('Karim Haddad', 'Third Person'))
    await spoil(third.body.id)
    for (const _ of [1, 2, 3]) await run()
    expect((await lists())[0]).toMatchObject({ id: before.body.id, current: true, status: 'screened' })
    await screen()
    expect(app.platform.reader.all('SELECT DISTINCT list_id AS id FROM sanctions_entries')).toEqual([
      { id: before.body.id },
    ])
  })

  test('a screening that ends because the program stops does not count as a failed attempt', async () => {
    const loaded = await load(unList('Yusuf Omar'))
    for (const _ of [1, 2, 3, 4]) {
      const stopping = new AbortController()
      await inChildren(() => {
        const { run: runInChild } = taskRunner
        taskRunner.run = (...task) => {
          // the child runs by now
          void turn().then(() => stopping.abort())
          return runInChild(...task)
        }
        return screenTraders.run({ platform: app.platform, signal: stopping.signal })
      })
      expect(stopping.signal.aborted).toBe(true)
    }
    expect((await lists())[0]).toMatchObject({ id: loaded.body.id, status: 'screening' })
    await screen()
    expect((await lists())[0].status).toBe('screened')
  })
})
