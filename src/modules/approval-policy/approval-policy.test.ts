import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Amount } from '../../platform/wire/fields.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { createDesk } from '../../testing/desk.ts'
import { ApprovalPolicy, TIERS } from './approval-policy.model.ts'

let app: TestApp
let firm: Firm

/** Each tier begins at a thousand more than the one before. */
const amountOf = (tier: number): number => 1000 * (tier + 1)
const POLICY = {
  ...{ currency: 'EUR', minKycLevel: 1 },
  ...Object.fromEntries(TIERS.map(({ field }, tier) => [field, amountOf(tier).toFixed(2)])),
}
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

test('each amount that a firm may set begins a tier', () => {
  const amounts = Object.entries(ApprovalPolicy.properties).filter(
    ([, schema]) => 'pattern' in schema && schema.pattern === Amount.pattern,
  )
  expect(amounts.map(([field]) => field)).toEqual(TIERS.map(({ field }) => field))
})

describe.each(TIERS.map((tier, at) => ({ ...tier, at })))('from `$field` on', ({ field, approvals, at }) => {
  const before = TIERS[at - 1]?.approvals ?? 1

  test('so many different people approve, below it fewer', async () => {
    const waits = (people: number): string[] => Array.from({ length: people - 1 }, () => 'requested')
    expect(await afterVotes(amountOf(at).toFixed(2), approvals)).toEqual([...waits(approvals), 'approved'])
    expect(await afterVotes((amountOf(at) - 0.01).toFixed(2), before)).toEqual([...waits(before), 'approved'])
  })

  test('the simulator says so', async () => {
    const { body } = await app.call('GET', `/v1/approval-policies?currency=EUR&amount=${amountOf(at)}`, {
      as: firm.as.manager,
    })
    const from = `from ${amountOf(at).toFixed(2)} EUR`
    expect(body.simulation).toMatchObject({ approvals, adminNeeded: true, reason: from })
  })

  test('what one person asks for a client in a day counts together', async () => {
    const traderId = await client()
    await ask(traderId, (amountOf(at) - 1).toFixed(2), firm.as.manager)
    const { id } = (await ask(traderId, '1', firm.as.operator)).body
    const needed = async (as: Caller): Promise<number> =>
      (await app.call('GET', `/v1/withdrawals/${id}`, { as })).body.review.approvalsNeeded
    expect([await needed(firm.as.manager), await needed(firm.as.admin)]).toEqual([approvals, 1])
  })

  test('a vote that takes so many is not a second one where fewer are enough', async () => {
    const { owner, platform_admin, admin } = firm.as
    const amount = at === 0 ? 1 : amountOf(at - 1)
    const traderId = await client()
    await ask(traderId, String(amountOf(at) - amount), admin)
    const { id } = (await ask(traderId, String(amount), firm.as.operator)).body
    const states: string[] = []
    for (const voter of [admin, owner, platform_admin].slice(0, before))
      states.push((await act(id, 'approve', voter)).body.status)
    expect(states.at(-1)).toBe('requested')
  })

  test('no money at all is refused by its name', async () => {
    const answer = await setPolicy({ ...POLICY, [field]: '0' })
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, field])
  })

  test('the rules say so', async () => {
    const rules = await Bun.file(join(import.meta.dir, '../../RULES.md')).text()
    expect(rules).toMatch(new RegExp(`\\| \`${field}\` +\\| ${approvals} `))
  })
})
