import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { account, conversion, transfer, wallet } from '../../../testing/money-samples.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { CreateTransfer } from './create-transfer.tsx'

const ENDS: Answers = {
  'wallets.list': buildPage(wallet(), wallet({ id: 'wal_usd', currency: 'USD', available: '5.00' })),
  'accounts.list': buildPage(account(), account({ id: 'acc_demo', accountNumber: '9', isDemo: true })),
}
const open = async (answers: Answers = {}, role: Role = 'manager') => {
  const closed: true[] = []
  const drawn = await renderPage(
    <CreateTransfer trader={{ id: 'trd_1', name: 'Ana Lima' }} onClose={() => void closed.push(true)} />,
    { at: '/transfers', route: '/transfers', role, answers: { ...ENDS, ...answers } },
  )
  return { ...drawn, closed }
}
/** Chooses an option of a select by its label. */
const choose = async (label: string, option: RegExp): Promise<void> => {
  await press(await seen('combobox', label))
  await press(await seen('option', option))
}

test('a transfer between two wallets of one currency needs no conversion', async () => {
  const { server, closed } = await open({
    'transfers.create': transfer({ kind: 'wallet_to_account', state: 'booked', toCurrency: 'EUR', toAmount: '250.00' }),
    'accounts.list': buildPage(account({ currency: 'EUR' })),
  })
  await choose('From', /^EUR · 1,200.00/)
  await choose('To', /7000001/)
  await fill(await screen.findByLabelText(/^Amount/), '250')
  await fill(screen.getByLabelText(/^Note/), ' to trade with ')
  await pressButton('Transfer')
  expect(await screen.findByText('Transferred 250.00 EUR.')).toBeDefined()
  expect(server.of('transfers.create')[0]?.body).toEqual({
    fromWalletId: 'wal_eur',
    toAccountId: 'acc_1',
    amount: '250.00',
    note: 'to trade with',
  })
  expect(server.of('fx.convert')).toEqual([])
  expect(closed).toHaveLength(1)
})

test('a transfer that the platform has to book first is said to be on its way', async () => {
  await open({
    'transfers.create': transfer({ kind: 'wallet_to_account', state: 'sent', toCurrency: 'EUR', toAmount: '250.00' }),
    'accounts.list': buildPage(account({ currency: 'EUR' })),
  })
  await choose('From', /^EUR/)
  await choose('To', /7000001/)
  await fill(await screen.findByLabelText(/^Amount/), '250')
  await pressButton('Transfer')
  expect(await screen.findByText(/^250.00 EUR is on its way/)).toBeDefined()
})

test('a transfer to another currency shows the conversion before it is sent, and its result', async () => {
  const { server } = await open({ 'fx.convert': conversion(), 'transfers.create': transfer({ state: 'booked' }) })
  await choose('From', /^EUR/)
  await choose('To', /7000001/)
  await fill(await screen.findByLabelText(/^Amount/), '250')
  expect(await screen.findByText('271.12', { exact: false })).toBeDefined()
  await pressButton('Transfer')
  expect(await screen.findByText('Transferred 250.00 EUR, which came to 271.12 USD.')).toBeDefined()
  expect(server.of('transfers.create')).toHaveLength(1)
})

test('a transfer whose rate changed since it was shown stops until it is confirmed again', async () => {
  const { server } = await open({ 'fx.convert': conversion(), 'transfers.create': transfer() })
  await choose('From', /^EUR/)
  await choose('To', /7000001/)
  await fill(await screen.findByLabelText(/^Amount/), '250')
  await screen.findByText('271.12', { exact: false })
  server.now({ 'fx.convert': conversion({ result: '268.00' }) })
  await pressButton('Transfer')
  expect(await screen.findByText(/268.00 USD instead of 271.12 USD/)).toBeDefined()
  expect(server.of('transfers.create')).toEqual([])
  await pressButton('Transfer')
  await waitFor(() => expect(server.of('transfers.create')).toHaveLength(1))
})

test('an operator takes nothing out of a trading account, and transfers nothing to another client', async () => {
  await open({}, 'operator')
  await press(await seen('combobox', 'From'))
  await seen('option', /^EUR/)
  expect(screen.queryByRole('option', { name: /7000001/ })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: 'To another client' })).toBeNull()
})

test('a demo account is neither source nor target, and money from an account goes only to wallets', async () => {
  await open()
  await choose('From', /7000001/)
  await press(await seen('combobox', 'To'))
  await seen('option', /^EUR/)
  expect(screen.queryByRole('option', { name: /^9/ })).toBeNull()
  expect(screen.queryByRole('option', { name: /7000001/ })).toBeNull()
})

test('a change of a transfer’s source clears its target', async () => {
  const { server } = await open()
  await choose('From', /^EUR/)
  await choose('To', /7000001/)
  await choose('From', /^USD/)
  await fill(await screen.findByLabelText(/^Amount/), '1')
  await pressButton('Transfer')
  expect(await screen.findByText('Choose where it goes')).toBeDefined()
  expect(server.of('transfers.create')).toEqual([])
})

test('the form of a transfer says that a client has no money to transfer', async () => {
  await open({ 'wallets.list': buildPage(), 'accounts.list': buildPage() })
  expect(await screen.findByText('This client has nothing that money could be taken from.')).toBeDefined()
})

test('a refused transfer shows the reason at its field', async () => {
  await open({
    'accounts.list': buildPage(account({ currency: 'EUR' })),
    'transfers.create': refusal(422, 'insufficient_funds', 'Not enough', [
      { path: '/amount', message: 'There are 1,200.00 EUR available' },
    ]),
  })
  await choose('From', /^EUR/)
  await choose('To', /7000001/)
  await fill(await screen.findByLabelText(/^Amount/), '5000')
  await pressButton('Transfer')
  expect(await screen.findByText('There are 1,200.00 EUR available')).toBeDefined()
})
