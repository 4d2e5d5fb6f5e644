import { expect, test } from 'bun:test'
import { type Answers, pageOf } from '../../../testing/answers.ts'
import { adjustment, wallet } from '../../../testing/money-samples.ts'
import { keys, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { AdjustmentList } from './adjustment-list.tsx'

const open = (answers: Answers = {}, at = '/adjustments') =>
  renderPage(<AdjustmentList />, {
    at,
    route: '/adjustments',
    role: 'admin',
    answers: {
      'adjustments.list': pageOf(adjustment(), adjustment({ id: 'adj_2', traderName: null, direction: 'debit' })),
      'traders.list': pageOf(),
      'wallets.list': pageOf(wallet()),
      ...answers,
    },
  })
const cellsOf = async (name: RegExp): Promise<string[]> =>
  within(await seen('row', name))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent ?? '')

test('what waits for another person comes first, the oldest on top, with who asked and why', async () => {
  const { server } = await open()
  await waitFor(async () =>
    expect((await cellsOf(/Ana Lima/)).slice(2, 6)).toEqual([
      'Credit',
      '1,500.00 EUR',
      'The bank charged twice',
      'Marco Bianchi',
    ]),
  )
  expect(await cellsOf(/Deleted client/)).toContain('Debit')
  expect(server.of('adjustments.list')[0]?.query).toMatchObject({ status: 'requested', sort: 'createdAt' })
})

test('one opens with Enter, over what was seen of it', async () => {
  await open()
  await seen('row', /Ana Lima/)
  await keys('{ArrowDown}{Enter}')
  expect(await seen('dialog', 'Credit of 1,500.00 EUR')).toBeDefined()
})

test('everything that was decided is newest first', async () => {
  const { server } = await open({}, '/adjustments?status=approved')
  await seen('row', /Ana Lima/)
  expect(server.of('adjustments.list')[0]?.query).toMatchObject({ status: 'approved', sort: '-createdAt' })
})

test.each([
  ['/adjustments', 'Nothing is waiting'],
  ['/adjustments?status=*', 'No adjustments yet'],
])('at %s no rows mean: %s', async (at, words) => {
  await open({ 'adjustments.list': pageOf() }, at)
  expect(await screen.findByText(words)).toBeDefined()
})

test('another one is asked for from the list', async () => {
  await open()
  await pressButton('New adjustment')
  expect(await seen('dialog', 'New adjustment')).toBeDefined()
})
