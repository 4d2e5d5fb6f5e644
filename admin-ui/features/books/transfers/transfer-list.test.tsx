import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { account, transfer } from '../../../testing/money-samples.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { TransferList } from './transfer-list.tsx'

const SENT = { kind: 'wallet_to_account', state: 'sent', toWalletId: null, accountId: 'acc_1' } as const

/** Opens the drawer of the only transfer in the list. */
const open = async (with_: Parameters<typeof transfer>[0], answers: Answers = {}, role: Role = 'manager') => {
  const drawn = await renderPage(<TransferList />, {
    at: '/transfers',
    route: '/transfers',
    answers: { 'transfers.list': buildPage(transfer(with_)), 'accounts.get': account(), ...answers },
    role,
  })
  await seen('table', 'Transfers')
  await keys('{ArrowDown}{Enter}')
  await seen('dialog', 'TRF-1')
  return drawn
}

test('a manager records that the platform booked a transfer, with the platform’s reference', async () => {
  const { server } = await open(SENT, { 'transfers.acknowledge': transfer({ ...SENT, state: 'booked' }) })
  expect((await seen('link', account().accountNumber ?? '')).getAttribute('href')).toBe('/admin/accounts/acc_1')
  await pressButton('Platform booked it')
  const dialog = within(await seen('dialog', 'The platform booked it'))
  expect(dialog.getByText(/The amount is on the trading account/)).toBeDefined()
  await fill(dialog.getByLabelText('Reference of the platform'), ' T5-77 ')
  await press(dialog.getByRole('button', { name: 'It was booked' }))
  expect(await screen.findByText('Transfer booked.')).toBeDefined()
  expect(server.of('transfers.acknowledge')[0]).toMatchObject({ body: { state: 'booked', reference: 'T5-77' } })
  await waitFor(() => expect(server.of('transfers.list').length).toBeGreaterThan(1))
})

test('recording that the platform refused a transfer needs its reason, and shows where the money goes', async () => {
  const { server } = await open(SENT, { 'transfers.acknowledge': transfer({ ...SENT, state: 'refused' }) })
  await pressButton('Platform refused it')
  const dialog = within(await seen('dialog', 'The platform refused it'))
  expect(dialog.getByText(/goes back to the wallet/)).toBeDefined()
  await press(dialog.getByRole('button', { name: 'It was refused' }))
  expect(await screen.findByText('Say what the platform said')).toBeDefined()
  expect(server.of('transfers.acknowledge')).toEqual([])
  await fill(dialog.getByLabelText(/^Reason/), 'Account is read-only')
  await press(dialog.getByRole('button', { name: 'It was refused' }))
  await waitFor(() =>
    expect(server.of('transfers.acknowledge')[0]?.body).toEqual({ state: 'refused', reason: 'Account is read-only' }),
  )
})

test('a transfer that the bridge acknowledged first is reported', async () => {
  const word = refusal(409, 'wrong_state', 'The transfer is booked already')
  const { server } = await open(SENT, { 'transfers.acknowledge': word })
  await pressButton('Platform booked it')
  await pressButton('It was booked')
  expect(await screen.findByText(/booked already/)).toBeDefined()
  expect(server.of('transfers.acknowledge')).toHaveLength(1)
})

test('a lost answer keeps the dialog of a transfer open, which says that the change may have been done', async () => {
  await open(SENT, { 'transfers.acknowledge': noAnswer, 'auth.me': meAs('manager') })
  await pressButton('Platform booked it')
  await pressButton('It was booked')
  expect(await screen.findByText(/may have been done|may have gone through/i)).toBeDefined()
  expect(screen.getByRole('dialog', { name: 'The platform booked it' })).toBeDefined()
})

test.each([
  ['what is booked already', { ...SENT, state: 'booked' }, 'manager'],
  ['an operator', SENT, 'operator'],
] as const)('a transfer cannot be booked or refused for the platform: %s', async (_, with_, role) => {
  await open(with_, {}, role)
  expect(screen.queryByRole('button', { name: 'Platform booked it' })).toBeNull()
})
