import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { createDesk } from '../../testing/desk.ts'

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

/** What becomes of a new withdrawal by one approval after the other. */
const afterVotes = async (amount: string, people: number): Promise<string[]> => {
  const { manager, admin, owner, platform_admin } = firm.as
  // the manager settled the client's deposit, so that theirs alone would not do
  const voters = [manager, owner, platform_admin, admin].slice(-people)
  expect(voters).toHaveLength(people)
  const asked = await ask(await client(), amount)
  const states: string[] = []
  for (const voter of voters) states.push((await act(asked.body.id, 'approve', voter)).body.status)
  return states
}

describe('from the threshold on', () => {
  test('two different people approve, below it one', async () => {
    expect(await afterVotes('1000.00', 2)).toEqual(['requested', 'approved'])
    expect(await afterVotes('999.99', 1)).toEqual(['approved'])
  })

  test('the simulator says so', async () => {
    const { body } = await app.call('GET', `/v1/approval-policies?currency=EUR&amount=${THRESHOLD}`, {
      as: firm.as.manager,
    })
    expect(body.simulation).toMatchObject({ approvals: 2, adminNeeded: true, reason: 'from 1000.00 EUR' })
  })

  test('what one person asks for a client in a day counts together', async () => {
    const traderId = await client()
    await ask(traderId, (THRESHOLD - 1).toFixed(2), firm.as.manager)
    const { id } = (await ask(traderId, '1', firm.as.operator)).body
    const needed = async (as: Caller): Promise<number> =>
      (await app.call('GET', `/v1/withdrawals/${id}`, { as })).body.review.approvalsNeeded
    expect([await needed(firm.as.manager), await needed(firm.as.admin)]).toEqual([2, 1])
  })

  test('a vote for which it takes two is not enough alone', async () => {
    const { admin, operator } = firm.as
    const traderId = await client()
    await ask(traderId, String(THRESHOLD - 1), admin)
    const { id } = (await ask(traderId, '1', operator)).body
    expect((await act(id, 'approve', admin)).body.status).toBe('requested')
  })

  test('no money at all is refused by its name', async () => {
    const answer = await setPolicy({ ...POLICY, threshold: '0' })
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, 'threshold'])
  })
})
