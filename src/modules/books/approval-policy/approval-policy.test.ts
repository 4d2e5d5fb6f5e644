import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { accountActs } from '../../firm/independence/independence.table.ts'
import { reaches } from './approval-policy.ts'

let app: TestApp
let firm: Firm

const THRESHOLD = 1000
const POLICY = { currency: 'EUR', minKycLevel: 1, threshold: '1000.00' }
const setPolicy = (body: object) => app.call('PUT', '/v1/approval-policies', { as: firm.as.owner, body })

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  expect((await setPolicy(POLICY)).body).toMatchObject(POLICY)
})
afterAll(() => app.close())

const { client, ask, act } = createDesk(() => ({ app, firm }))

/** Returns the states of a new withdrawal after each of these approvals. */
const afterVotes = async (amount: string, people: number): Promise<string[]> => {
  const { manager, admin, owner, platform_admin } = firm.as
  // the manager settled the client's deposit, so the manager's vote alone is not enough
  const voters = [manager, owner, platform_admin, admin].slice(-people)
  expect(voters).toHaveLength(people)
  const asked = await ask(await client(), amount)
  const states: string[] = []
  for (const voter of voters) states.push((await act(asked.body.id, 'approve', voter)).body.status)
  return states
}

describe('an amount from the threshold on', () => {
  test('an amount from the threshold on takes two different approvers; one below it takes one', async () => {
    expect(await afterVotes('1000.00', 2)).toEqual(['requested', 'approved'])
    expect(await afterVotes('999.99', 1)).toEqual(['approved'])
  })

  test('the simulator asks for two approvers from the threshold on, too', async () => {
    const { body } = await app.call('GET', `/v1/approval-policies?currency=EUR&amount=${THRESHOLD}`, {
      as: firm.as.manager,
    })
    expect(body.simulation).toMatchObject({ approvals: 2, adminNeeded: true, reason: 'from 1000.00 EUR' })
  })

  test('one person’s requests for a client in a day reach the threshold by their sum', async () => {
    const traderId = await client()
    await ask(traderId, (THRESHOLD - 1).toFixed(2), firm.as.manager)
    const { id } = (await ask(traderId, '1', firm.as.operator)).body
    const needsSecond = async (as: Caller): Promise<boolean> =>
      (await app.call('GET', `/v1/withdrawals/${id}`, { as })).body.review.viewer.needsSecond !== null
    expect([await needsSecond(firm.as.manager), await needsSecond(firm.as.admin)]).toEqual([true, false])
  })

  test('one vote does not approve a withdrawal that takes two', async () => {
    const { admin, operator } = firm.as
    const traderId = await client()
    await ask(traderId, String(THRESHOLD - 1), admin)
    const { id } = (await ask(traderId, '1', operator)).body
    expect((await act(id, 'approve', admin)).body.status).toBe('requested')
  })

  test('a threshold of zero is refused with the field’s name', async () => {
    const answer = await setPolicy({ ...POLICY, threshold: '0' })
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, 'threshold'])
  })
})

describe('trying out who approves', () => {
  const THRESHOLD = 1000
  type Approver = { userId: string; role: string; may: string; why: string | null }
  const tryOut = async (kind: string, amount: number, by?: Caller) => {
    const query = new URLSearchParams({ kind, amount: amount.toFixed(2), currency: 'EUR', ...(by && { by: by.id }) })
    const { body } = await app.call('GET', `/v1/approval-policies?${query}`, { as: firm.as.manager })
    const people: Approver[] = body.simulation.people
    const told = people.map(({ role, may, why }) => [role, why === null ? may : `${may}: ${why}`])
    return { approvals: body.simulation.approvals, ...Object.fromEntries(told) }
  }
  const all = (may: string, approvals: number) => ({
    approvals,
    manager: may,
    admin: may,
    owner: may,
    platform_admin: may,
  })

  test('the simulation says who approves each kind on both sides of the threshold', async () => {
    expect(await tryOut('withdrawal', THRESHOLD - 0.01)).toEqual(all('alone', 1))
    expect(await tryOut('withdrawal', THRESHOLD)).toEqual(all('together', 2))
    expect(await tryOut('payout', THRESHOLD - 0.01)).toEqual({ ...all('alone', 1), manager: 'no: role' })
    expect(await tryOut('client_deposit', THRESHOLD)).toEqual(all('together', 2))
    expect(await tryOut('transfer', THRESHOLD - 0.01)).toEqual(all('alone', 1))
    expect(await tryOut('transfer', THRESHOLD)).toEqual(all('no: impossible', 0))
    expect(await tryOut('adjustment', 1)).toEqual({ ...all('alone', 1), manager: 'no: role' })
  })

  test('the simulation excludes the creator where they may not decide', async () => {
    const { admin, operator } = firm.as
    expect(await tryOut('withdrawal', 1, admin)).toEqual({ ...all('alone', 1), admin: 'no: creator' })
    expect(await tryOut('deposit', THRESHOLD - 0.01, admin)).toEqual(all('alone', 1))
    expect(await tryOut('deposit', THRESHOLD, admin)).toEqual({ ...all('alone', 1), admin: 'no: creator' })
    expect(await tryOut('account_transfer', THRESHOLD, admin)).toEqual({ ...all('alone', 1), admin: 'no: creator' })
    expect(await tryOut('withdrawal', 1, operator)).toEqual({ ...all('alone', 1), operator: 'no: role' })
  })

  test('the simulation names an account that somebody else could use; an unknown creator excludes nobody', async () => {
    const other = await app.firm('shared')
    const { owner, admin, manager } = other.as
    await systemCtx(app.platform, other.tenantId, 'test').write('test.act', (tx) =>
      tx.insert(accountActs, { userId: admin.id, byUserId: owner.id, act: 'link' }),
    )
    const read = (query: string) =>
      app.call('GET', `/v1/approval-policies?amount=20000&currency=EUR&${query}`, { as: manager })
    const people: Approver[] = (await read(`by=${owner.id}`)).body.simulation.people
    const found = people.find(({ userId }) => userId === admin.id)
    expect(found).toMatchObject({ may: 'no', why: 'account' })
    const unknown: Approver[] = (await read('by=usr_none')).body.simulation.people
    expect(unknown.filter(({ why }) => why === 'creator')).toEqual([])
  })
})

test('an approval counts for less than 72 hours', async () => {
  const afterHours = async (ms: number): Promise<string> => {
    const { id } = (await ask(await client(), '1000')).body
    await act(id, 'approve', firm.as.admin)
    app.clock.advance(ms)
    return (await act(id, 'approve', firm.as.owner)).body.status
  }
  expect([await afterHours(72 * HOUR - 1), await afterHours(72 * HOUR)]).toEqual(['approved', 'requested'])
})

test('one person’s requests for a client are summed over less than 24 hours', async () => {
  const needsSecondAfter = async (ms: number): Promise<boolean> => {
    const traderId = await client()
    await ask(traderId, '999', firm.as.manager)
    app.clock.advance(ms)
    const { id } = (await ask(traderId, '1')).body
    const { review } = (await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })).body
    return review.viewer.needsSecond !== null
  }
  expect([await needsSecondAfter(24 * HOUR - 1), await needsSecondAfter(24 * HOUR)]).toEqual([true, false])
})

test('a sum equal to the threshold reaches it, and so does a sum that cannot be compared', () => {
  expect([99n, 100n, null].map((sum) => reaches({ threshold: 100n }, sum))).toEqual([false, true, true])
})

describe('a firm without a policy of its own', () => {
  let newcomer: Firm
  beforeAll(async () => {
    newcomer = await app.firm('newcomer')
  })
  const desk = createDesk(() => ({ app, firm: newcomer }))
  const policy = async (query = '') =>
    (await app.call('GET', `/v1/approval-policies${query}`, { as: newcomer.as.manager })).body

  test('a new firm’s policy is a threshold of 10,000 of its currency and KYC level 1', async () => {
    const byDefault = { currency: 'EUR', threshold: '10000.00', minKycLevel: 1, version: 0, simulation: null }
    expect(await policy()).toEqual({ ...byDefault, ownMoneyLimit: '1000.00' })
  })

  test('a firm without its own policy pays clients of KYC level 1, not of level 0', async () => {
    expect((await desk.ask(await desk.client('10', 1), '1')).status).toBe(201)
    expect((await desk.ask(await desk.client('10', 0), '1')).body.code).toBe('withdrawals.kyc_too_low')
  })

  test('a simulation needs amount and currency, and compares them if there is a rate', async () => {
    expect((await policy('?amount=5')).errors[0].path).toBe('query.currency')
    expect((await policy('?currency=EUR')).errors[0].path).toBe('query.amount')
    expect((await policy('?amount=5&currency=EUR')).simulation).toMatchObject({ comparedAmount: '5.00', approvals: 1 })
    expect((await policy('?amount=5&currency=CHF')).simulation).toMatchObject({ comparedAmount: null, approvals: 2 })
  })

  test('the KYC level of a policy is 0 to 3', async () => {
    const set = async (minKycLevel: number): Promise<number> =>
      (await app.call('PUT', '/v1/approval-policies', { as: newcomer.as.owner, body: { ...POLICY, minKycLevel } }))
        .status
    expect(await Promise.all([-1, 0, 3, 4].map(set))).toEqual([422, 200, 200, 422])
  })
})
