import { expect, test } from 'bun:test'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { deposit, trader } from '../../../testing/samples.ts'
import { BulkSettle } from './bulk-settle.tsx'

const three = [
  deposit({ id: 'dep_1', version: 3 }),
  deposit({ id: 'dep_2', version: 8, traderName: 'Noor Darwish', amount: '70.50' }),
  deposit({ id: 'dep_3', version: 1, traderName: 'Yuki Tan', amount: '90000', currency: 'JPY' }),
]
const policy = { ...blank('approvalPolicies.get'), currency: 'EUR', threshold: '10000.00' } as const
const open = async (rows = three, answers: Answers = {}) => {
  const heard: string[] = []
  const drawn = await renderPage(
    <BulkSettle rows={rows} onResults={() => heard.push('results')} onClose={() => heard.push('closed')} />,
    {
      at: '/deposits',
      route: '/deposits',
      answers: {
        'approvalPolicies.get': policy,
        'traders.list': buildPage(trader()),
        'deposits.settle': ({ params }) => deposit({ id: params.id ?? '', status: 'settled' }),
        ...answers,
      },
    },
  )
  return { ...drawn, heard }
}

test('a bulk settlement shows each deposit and the sum of each currency, before anything is sent', async () => {
  const { server } = await open()
  const dialog = within(await seen('dialog', 'Settle 3 deposits in full'))
  const rows = within(dialog.getByRole('list', { name: 'What you settle' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent?.replace(/(It is credited|Yours may).*?(?=\d)/, ''))).toEqual([
    'Ana Lima · WIRE-11,500.00 EUR',
    'Noor Darwish · WIRE-170.50 EUR',
    'Yuki Tan · WIRE-190,000 JPY',
  ])
  expect(document.querySelector('.bulk-sums')?.textContent).toBe('1,570.50 EUR90,000 JPY')
  expect(server.of('deposits.settle')).toEqual([])
})

test('a bulk settlement sends each deposit once, with its version, however often the button is pressed', async () => {
  const { server, heard } = await open()
  const button = await seen('button', 'Settle 3 in full')
  button.click()
  button.click()
  await seen('dialog', 'Settled deposits')
  expect(server.of('deposits.settle').map(({ params, ifMatch }) => [params.id, ifMatch])).toEqual([
    ['dep_1', '"3"'],
    ['dep_2', '"8"'],
    ['dep_3', '"1"'],
  ])
  expect(heard).toEqual(['results'])
})

test('a bulk settlement names a deposit that a colleague decided meanwhile, and settles the others', async () => {
  await open(three, {
    'deposits.settle': ({ params }) =>
      params.id === 'dep_2'
        ? refusal(412, 'version_mismatch', 'It was changed meanwhile.')
        : deposit({ id: params.id ?? '', status: params.id === 'dep_3' ? 'pending' : 'settled' }),
  })
  await pressButton('Settle 3 in full')
  const results = within(await seen('dialog', 'Settled deposits'))
  expect(results.getByRole('row', { name: /^70.50 EUR · Noor Darwish/ }).textContent).toContain(
    'Not doneIt was changed meanwhile.',
  )
  expect(results.getByRole('row', { name: /Yuki Tan/ }).textContent).toContain(
    'Your approval counts; a second person settles the same amount.',
  )
  expect(results.getByText('2 of 3 done; each of the others says why it failed.')).toBeDefined()
})

test('a lost answer ends a bulk settlement, which says what may have been done and what was not sent', async () => {
  const { server } = await open(three, {
    'deposits.settle': ({ params }) =>
      params.id === 'dep_1' ? deposit({ id: 'dep_1', status: 'settled' }) : noAnswer(),
  })
  await pressButton('Settle 3 in full')
  const results = within(await seen('dialog', 'Settled deposits'))
  expect(results.getByRole('row', { name: /Noor Darwish/ }).textContent).toContain('It may have been done')
  expect(results.getByRole('row', { name: /Yuki Tan/ }).textContent).toContain('Not sent: the one before it failed.')
  expect(server.of('deposits.settle').map(({ params }) => params.id)).toEqual(['dep_1', 'dep_2'])
})

test('a bulk settlement that is stopped does not send the rest, and says so', async () => {
  let answer: () => void = () => undefined
  const { server } = await open(three, {
    'deposits.settle': async ({ params }) => {
      if (params.id === 'dep_2')
        await new Promise<void>((resolve) => {
          answer = resolve
        })
      return deposit({ id: params.id ?? '', status: 'settled' })
    },
  })
  await pressButton('Settle 3 in full')
  await press(await seen('button', 'Stop'))
  answer()
  const results = within(await seen('dialog', 'Settled deposits'))
  expect(results.getByRole('row', { name: /Yuki Tan/ }).textContent).toContain('Not sent: you stopped before it.')
  expect(server.of('deposits.settle')).toHaveLength(2)
})

test('a bulk settlement whose first request is refused keeps its form open', async () => {
  const { heard, server } = await open(three, {
    'deposits.settle': refusal(403, 'reauthentication_required', 'Give your password.'),
  })
  await pressButton('Settle 3 in full')
  expect(await screen.findByText('Give your password.')).toBeDefined()
  expect([heard, server.of('deposits.settle').length]).toEqual([[], 1])
})

test('a bulk settlement says why a deposit is left out, and has no button if all are', async () => {
  const mine = { firstWord: { by: 'usr_me', at: '2026-01-05T10:00:00.000Z', settledAmount: '1500.00' } }
  await open([deposit(mine)])
  const dialog = within(await seen('dialog', 'Nothing to settle'))
  expect(dialog.getByText('You gave the first approval: a colleague settles it')).toBeDefined()
  expect(dialog.queryByRole('button', { name: /in full/ })).toBeNull()
  await waitFor(() => expect(dialog.getByText('Left out: 1 deposit')).toBeDefined())
})
