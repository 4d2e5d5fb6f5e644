import { expect, test } from 'bun:test'
import { deposit, trader } from '../../../testing/samples.ts'
import type { NamedDeposit } from './deposits.api.ts'
import { type PlanFacts, planSettlement } from './settle-plan.ts'

const AT = '2026-01-05T10:00:00.000Z'
const facts: PlanFacts = {
  userId: 'usr_me',
  policy: { threshold: '10000.00', currency: 'EUR', largeCurrencies: ['JPY'] },
  traders: [
    trader(),
    trader({ id: 'trd_2', status: 'suspended', kycStatus: 'none' }),
    trader({ id: 'trd_3', kycStatus: 'requested' }),
  ],
  findStaffName: () => 'Marco Bianchi',
}
const firstApproval = (by: string, settledAmount: string) => ({ by, at: AT, settledAmount })
const plan = (...rows: Partial<NamedDeposit>[]) =>
  planSettlement(
    rows.map((row, at) => deposit({ id: `dep_${at + 1}`, ...row })),
    facts,
  )

test.each<[string, Partial<NamedDeposit>, string]>([
  ['a small deposit of a client', {}, 'It is credited'],
  ['one that a colleague created', { announcedBy: 'usr_marco', amount: '50000.00' }, 'It is credited'],
  ['one of the threshold', { amount: '10000.00' }, 'Yours is the first of two approvals (from 10,000.00 EUR on)'],
  ['one below the threshold', { amount: '9999.99' }, 'It is credited'],
  [
    'a small one of one’s own',
    { announcedBy: 'usr_me' },
    'You created it: a colleague settles it if it needs two people',
  ],
  [
    'a currency that reaches it together',
    { currency: 'JPY', amount: '2000000' },
    'Yours may be the first of two approvals',
  ],
  ['another currency', { currency: 'USD', amount: '90000.00' }, 'It is credited'],
  [
    'one with a colleague’s first approval of the same amount',
    { amount: '20000.00', firstWord: firstApproval('usr_marco', '20000') },
    'It is credited: Marco Bianchi gave the first approval of 20,000 EUR; a second person settles it',
  ],
  ['a suspended client', { traderId: 'trd_2' }, 'It is credited · Client suspended · Identity not approved'],
  ['a client without approved documents', { traderId: 'trd_3' }, 'It is credited · Identity not approved'],
])('a bulk settlement settles %s, and says what that does', (_name, row, text) => {
  const { shown, left } = plan(row)
  expect([shown.map(({ flag }) => flag.text), left]).toEqual([[text], []])
})

test.each<[string, Partial<NamedDeposit>, string]>([
  ['of a deleted client', { traderName: null }, 'The client was deleted'],
  [
    'of one’s own from the threshold on',
    { announcedBy: 'usr_me', amount: '10000.00' },
    'You created it: a colleague settles it (from 10,000.00 EUR on)',
  ],
  [
    'with one’s own first approval',
    { firstWord: firstApproval('usr_me', '1500.00') },
    'You gave the first approval: a colleague settles it',
  ],
  [
    'whose first approval is of another amount',
    { firstWord: firstApproval('usr_marco', '1490.00') },
    'Marco Bianchi gave the first approval of 1,490.00 EUR; a second person settles it. Settle it on its page.',
  ],
])('a bulk settlement leaves out a deposit %s, and says why', (_name, row, text) => {
  const { settled, left } = plan(row, {})
  expect(settled.map(({ id }) => id)).toEqual(['dep_2'])
  expect(left.map(({ flag }) => flag.text)).toEqual([text])
})

test('the deposit with which the viewer’s deposits reach the threshold together may need a second approval', () => {
  const { shown } = plan({ amount: '6000.00' }, { amount: '6000.00' }, { announcedBy: 'usr_marco' })
  expect(shown.map(({ flag }) => flag.tone)).toEqual(['good', 'wait', 'good'])
})
