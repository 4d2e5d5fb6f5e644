import { expect, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { withdrawal, withdrawalRow } from '../../../testing/money-samples.ts'
import { fill, press, pressButton, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { BulkReject } from './bulk-reject.tsx'

const two = [
  withdrawalRow({ id: 'wdr_1', version: 3 }),
  withdrawalRow({ id: 'wdr_2', traderName: 'Noor Darwish', amount: '70.50', version: 5 }),
]
const open = async (rows = two, answers: Answers = {}) => {
  const heard: string[] = []
  const drawn = await renderPage(
    <BulkReject
      asked={{ rows, settle: (results) => heard.push(...results.flatMap(({ id, ok }) => (ok ? [] : [id]))) }}
      onClose={() => heard.push('closed')}
    />,
    {
      at: '/withdrawals',
      route: '/withdrawals',
      answers: { 'withdrawals.reject': ({ params }) => withdrawal({ id: params.id ?? '' }), ...answers },
    },
  )
  return { ...drawn, heard }
}

test('several withdrawals are rejected with one text for their clients, each over the version that was shown', async () => {
  const { server, heard } = await open()
  const dialog = within(await seen('dialog', 'Reject 2 withdrawals'))
  expect(dialog.getByText('1,570.50', { exact: false })).toBeDefined()
  await pressButton('Reject')
  expect(await screen.findByText('Enter the text for the client')).toBeDefined()
  await fill(dialog.getByLabelText(/^Text for the client/), ' another account ')
  await pressButton('Reject')
  expect(await screen.findByText('2 withdrawals rejected; the amounts are free again.')).toBeDefined()
  expect(server.of('withdrawals.reject').map(({ params, body, ifMatch }) => [params.id, body, ifMatch])).toEqual([
    ['wdr_1', { detail: 'another account' }, '"3"'],
    ['wdr_2', { detail: 'another account' }, '"5"'],
  ])
  expect(heard).toEqual(['closed'])
})

test('a withdrawal that changed meanwhile is not rejected, says why and stays chosen', async () => {
  const { heard } = await open(two, {
    'withdrawals.reject': ({ params }) =>
      params.id === 'wdr_2' ? refusal(412, 'version_conflict', 'Changed since') : withdrawal({ id: 'wdr_1' }),
  })
  await fill(await screen.findByLabelText(/^Text for the client/), 'no')
  await pressButton('Reject')
  expect((await seen('row', /^70.50 EUR · Noor Darwish/)).textContent).toContain('Changed since')
  expect(heard).toEqual(['wdr_2'])
})

test('a withdrawal that may have been sent is rejected only after the statement that nothing was', async () => {
  const [first] = two
  const rows = [...(first ? [first] : []), withdrawalRow({ id: 'wdr_3', lapsedAt: '2026-11-20T10:00:00.000Z' })]
  const { server } = await open(rows)
  await fill(await screen.findByLabelText(/^Text for the client/), 'no')
  await pressButton('Reject')
  expect(await screen.findByText(/^Confirm it first/)).toBeDefined()
  await press(await seen('checkbox', /^Nothing was sent/))
  await pressButton('Reject')
  await screen.findByText('2 withdrawals rejected; the amounts are free again.')
  expect(server.of('withdrawals.reject').map(({ body }) => body)).toEqual([
    { detail: 'no' },
    { detail: 'no', nothingSent: true },
  ])
})
