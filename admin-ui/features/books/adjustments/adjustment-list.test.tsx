import { expect, test } from 'bun:test'
import { type Answers, buildPage, onlyDecided } from '../../../testing/answers.ts'
import { adjustment, wallet } from '../../../testing/money-samples.ts'
import { keys, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { AdjustmentList } from './adjustment-list.tsx'

const open = (answers: Answers = {}, at = '/adjustments') =>
  renderPage(<AdjustmentList />, {
    at,
    route: '/adjustments',
    role: 'admin',
    answers: {
      'adjustments.list': buildPage(adjustment(), adjustment({ id: 'adj_2', traderName: null, direction: 'debit' })),
      'traders.list': buildPage(),
      'wallets.list': buildPage(wallet()),
      ...answers,
    },
  })
const findCells = async (name: RegExp): Promise<string[]> =>
  within(await seen('row', name))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent ?? '')

test('adjustments that wait for another person come first, the oldest on top, with requester and reason', async () => {
  const { server } = await open()
  await waitFor(async () =>
    expect((await findCells(/Ana Lima/)).slice(2, 6)).toEqual([
      'Credit',
      '1,500.00 EUR',
      'The bank charged twice',
      'Marco Bianchi',
    ]),
  )
  expect(await findCells(/Deleted client/)).toContain('Debit')
  expect(server.of('adjustments.list')[0]?.query).toMatchObject({ status: 'requested', sort: 'createdAt' })
})

test('Enter opens an adjustment in its shown version', async () => {
  await open()
  await seen('row', /Ana Lima/)
  await keys('{ArrowDown}{Enter}')
  expect(await seen('dialog', 'Credit of 1,500.00 EUR')).toBeDefined()
})

test('decided adjustments are listed newest first', async () => {
  const { server } = await open({}, '/adjustments?status=approved')
  await seen('row', /Ana Lima/)
  expect(server.of('adjustments.list')[0]?.query).toMatchObject({ status: 'approved', sort: '-createdAt' })
})

test.each([
  ['/adjustments', 'No adjustments yet'],
  ['/adjustments?status=*', 'No adjustments yet'],
])('adjustments at %s without rows show: %s', async (at, words) => {
  await open({ 'adjustments.list': buildPage() }, at)
  expect(await screen.findByText(words)).toBeDefined()
})

test('adjustments of which none waits, although there are decided ones, say so', async () => {
  await open({ 'adjustments.list': onlyDecided(adjustment()) }, '/adjustments')
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})

test('an adjustment is requested from the list', async () => {
  await open()
  await pressButton('New adjustment')
  expect(await seen('dialog', 'New adjustment')).toBeDefined()
})
