import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { fill, renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { ApprovalSimulator } from './approval-simulator.tsx'
import type { ApprovalPolicy } from './policies.api.ts'

type Simulation = NonNullable<ApprovalPolicy['simulation']>
const simulation = (with_: Partial<Simulation> = {}): Simulation => ({
  amount: '12000.00',
  currency: 'EUR',
  kind: 'withdrawal',
  people: [],
  approvals: 2,
  adminNeeded: true,
  comparedAmount: '12000.00',
  reason: 'above 10000.00 EUR',
  ...with_,
})
const open = (with_: Partial<Simulation> = {}, answers: Answers = {}) =>
  renderPage(<ApprovalSimulator currency="EUR" version={2} />, {
    answers: {
      'approvalPolicies.get': {
        version: 2,
        currency: 'EUR',
        threshold: '10000.00',
        minKycLevel: 1,
        ownMoneyLimit: '1000.00',
        simulation: simulation(with_),
      },
      ...answers,
    },
  })

test.each([
  [{ approvals: 1, adminNeeded: false }, 'One person of the role manager or higher'],
  [{ approvals: 2, adminNeeded: true }, /^2 people.*admin/],
  [{ approvals: 2, adminNeeded: false }, /^2 people(?!.*admin)/],
  [{ approvals: 1, adminNeeded: true, kind: 'adjustment' }, 'One person of the role admin or higher'],
  [{ approvals: 2, adminNeeded: true, kind: 'payout' }, '2 people, each an admin or higher'],
  [{ approvals: 0, adminNeeded: false, kind: 'transfer' }, /^Not possible from this amount on/],
] satisfies [Partial<Simulation>, string | RegExp][])(
  'the simulator of approvals explains the result %j in words',
  async (with_, words) => {
    await open(with_)
    expect(await screen.findByText(words)).toBeDefined()
  },
)

test('the simulator shows the reason for the approvals with grouped amounts', async () => {
  await open()
  expect(await screen.findByText('12,000.00 EUR: above 10,000.00 EUR.')).toBeDefined()
})

test('the simulator shows an amount in another currency in the currency of the limit, too', async () => {
  await open({ currency: 'USD', comparedAmount: '11065.00' })
  expect(await screen.findByText('12,000.00 USD is 11,065.00 EUR: above 10,000.00 EUR.')).toBeDefined()
})

test('the simulator asks the server after typing pauses, and not for an empty amount', async () => {
  const { server } = await open()
  await screen.findByText(/^12,000/)
  const field = screen.getByLabelText(/^Amount/)
  await fill(field, '')
  expect(await screen.findByText('Enter an amount and a currency.')).toBeDefined()
  await fill(field, '500')
  await waitFor(() => expect(server.of('approvalPolicies.get').at(-1)?.query.amount).toBe('500.00'))
  expect(server.of('approvalPolicies.get').map(({ query }) => query.amount)).toEqual(['12000.00', '500.00'])
})

test('the simulator says why an amount cannot be judged', async () => {
  await open({}, { 'approvalPolicies.get': refusal(422, 'no_rate', 'There is no rate for this currency.') })
  expect(await screen.findByText('There is no rate for this currency.')).toBeDefined()
})

test('the simulator names who can approve, and why others cannot', async () => {
  const person = { userId: 'usr_1', name: 'Elena', role: 'owner', may: 'alone', why: null } as const
  await open({
    people: [
      person,
      { ...person, userId: 'usr_2', name: 'Ingrid', role: 'manager', may: 'no', why: 'creator' },
      { ...person, userId: 'usr_3', name: 'Rafael', may: 'second', why: 'creator' },
    ],
  })
  const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(rows).toEqual([
    'Elena · OwnerCan approve',
    'Ingrid · ManagerThey created it, or linked the accountCannot',
    'Rafael · OwnerThey created it, or linked the accountOnly as the second, with a note',
  ])
})
