import { expect, test } from 'bun:test'
import type { Role } from '../../lib/api/session.ts'
import { listScreenKeys } from '../../lib/screen/screen-keys.ts'
import { type Answers, buildPage } from '../../testing/answers.ts'
import { withdrawal } from '../../testing/money-samples.ts'
import { keys, renderPage, screen, seen } from '../../testing/render.tsx'
import { deposit, meAs, overview, trader } from '../../testing/samples.ts'
import { DepositPage } from './deposits/deposit-page.tsx'
import { WithdrawalPage } from './withdrawals/withdrawal-page.tsx'

const PAGES = { deposit: <DepositPage />, withdrawal: <WithdrawalPage /> } as const

const open = async (kind: keyof typeof PAGES, role: Role, answers: Answers = {}) => {
  const drawn = await renderPage(PAGES[kind], {
    at: `/${kind}s/one`,
    route: `/${kind}s/$id`,
    role,
    answers: {
      'auth.me': meAs(role),
      'deposits.get': deposit(),
      'withdrawals.get': withdrawal(),
      'traders.get': trader(),
      'traders.overview': overview(),
      'deposits.list': buildPage(),
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 1 })
  return drawn
}

test.each([
  ['withdrawal', 'a', 'Approve this withdrawal'],
  ['withdrawal', 'r', 'Reject this withdrawal'],
  ['deposit', 's', 'Settle this deposit'],
  ['deposit', 'r', 'Mark as failed'],
] as const)('on the page of a %s the key %s opens its question, and decides nothing', async (kind, key, title) => {
  const { server } = await open(kind, 'manager')
  await keys(key)
  await seen('dialog', title)
  await keys(key)
  for (const operation of ['deposits.settle', 'deposits.fail', 'withdrawals.approve', 'withdrawals.reject'] as const)
    expect(server.of(operation)).toEqual([])
})

test.each(['deposit', 'withdrawal'] as const)('an operator has no keys that decide about a %s', async (kind) => {
  await open(kind, 'operator')
  for (const key of ['a', 'r', 's', 'p']) await keys(key)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(listScreenKeys()).toEqual([])
})

test('a paid withdrawal has no keys that decide about it', async () => {
  await open('withdrawal', 'owner', { 'withdrawals.get': withdrawal({ status: 'paid' }) })
  expect(listScreenKeys()).toEqual([])
})
