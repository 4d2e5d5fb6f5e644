import { expect, test } from 'bun:test'
import { pageOf } from '../../testing/answers.ts'
import { keys, renderPage, screen, seen } from '../../testing/render.tsx'
import { deposit } from '../../testing/samples.ts'
import { DepositList } from './deposit-list.tsx'

test('the arrow keys and Enter open a deposit', async () => {
  const { address } = await renderPage(<DepositList />, {
    at: '/deposits',
    route: '/deposits',
    answers: { 'deposits.list': pageOf(deposit(), deposit({ id: 'dep_2', providerReference: 'WIRE-2' })) },
  })
  expect(await seen('table', 'Deposits')).toBeDefined()
  await keys('{ArrowDown}{ArrowDown}{Enter}')
  expect(await screen.findByText('another page')).toBeDefined()
  expect(address()).toBe('/deposits/dep_2')
})
