import { expect, test } from 'bun:test'
import { refusal } from '../../../testing/answers.ts'
import { fill, keys, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { deposit } from '../../../testing/samples.ts'
import { Settle } from './decide-deposit.tsx'

const waiting = deposit()
/** Opens the form for a deposit of 1,500.00 EUR; `closed` returns how often it asked to be closed. */
async function open(answers: Parameters<typeof renderPage>[1] = {}, of = waiting) {
  let closed = 0
  const drawn = await renderPage(<Settle deposit={of} onClose={() => (closed += 1)} />, {
    at: '/deposits',
    route: '/deposits',
    ...answers,
  })
  return { ...drawn, closed: () => closed }
}
const amount = (): Promise<HTMLElement> => screen.findByLabelText(/Amount that arrived/)

test('the settlement field has the announced amount, and Enter settles in full', async () => {
  const { server, closed } = await open({
    answers: { 'deposits.settle': { ...waiting, status: 'settled', settledAmount: '1500.00' } },
  })
  expect(await amount()).toHaveProperty('value', '1,500.00')
  ;(await amount()).focus()
  await keys('{Enter}')
  await waitFor(() => expect(closed()).toBe(1))
  expect(server.of('deposits.settle').map(({ ifMatch }) => ifMatch)).toEqual(['"3"'])
  expect(server.of('deposits.partialSettle')).toEqual([])
})

test('an amount below the announced one shows what is missing, takes a note, and settles in part', async () => {
  const { server, closed } = await open({
    answers: { 'deposits.partialSettle': { ...waiting, status: 'partially_settled', settledAmount: '1490.50' } },
  })
  expect(screen.queryByLabelText(/Note/)).toBeNull()
  await fill(await amount(), '1,490.50')
  expect((await screen.findByRole('status')).textContent).toContain('9.50')
  await fill(await screen.findByLabelText(/Note/), ' bank fee ')
  await pressButton('Settle this amount')
  await waitFor(() => expect(closed()).toBe(1))
  expect(server.of('deposits.partialSettle').map(({ body }) => body)).toEqual([
    { settledAmount: '1490.50', notes: 'bank fee' },
  ])
  expect(server.of('deposits.settle')).toEqual([])
})

test('a settlement without an amount is not sent', async () => {
  const { server } = await open()
  await fill(await amount(), '')
  await pressButton(/^Settle/)
  expect(await screen.findByText('Enter the amount that arrived')).toBeDefined()
  expect(server.asked.filter(({ id }) => id.startsWith('deposits.'))).toEqual([])
})

test('an amount above the announced one shows what is too much, and is neither offered nor sent', async () => {
  const { server } = await open()
  await fill(await amount(), '1,500.01')
  expect((await screen.findByRole('status')).textContent).toContain('0.01 EUR more came than the announced 1,500.00')
  expect(screen.queryByRole('button', { name: 'Settle in full' })).toBeNull()
  expect(await seen('button', 'Settle this amount')).toHaveProperty('disabled', true)
  await keys('{Control>}{Enter}{/Control}')
  expect(server.asked.filter(({ id }) => id.startsWith('deposits.'))).toEqual([])
})

test('a deposit that a colleague settled first is reported, and nothing is sent twice', async () => {
  const { server, closed } = await open({
    answers: { 'deposits.settle': () => refusal(409, 'wrong_state', 'This deposit is settled already') },
  })
  await pressButton('Settle in full')
  expect(await screen.findByText(/settled already/)).toBeDefined()
  expect(await seen('button', 'Load the current version')).toBeDefined()
  expect([closed(), server.of('deposits.settle').length]).toEqual([0, 1])
})

test('the first of two approvers is told that their approval alone credits nothing', async () => {
  const said = { by: 'usr_me', at: waiting.createdAt, settledAmount: '1500.00' }
  await open({}, deposit({ firstWord: said }))
  expect(await screen.findByText(/a colleague settles it for the same amount/)).toBeDefined()
})
