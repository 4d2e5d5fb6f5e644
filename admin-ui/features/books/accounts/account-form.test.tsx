import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { account } from '../../../testing/money-samples.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { AccountForm } from './account-form.tsx'
import { AccountList } from './account-list.tsx'

const FIRM: Answers = { 'tenants.current': Response.json({ platforms: ['terminal5', 'ownline'] }) }
const open = async (of?: ReturnType<typeof account>, answers: Answers = {}) => {
  const closed: true[] = []
  const drawn = await renderPage(
    <AccountForm
      {...(of ? { account: of } : { trader: { id: 'trd_1', name: 'Ana Lima' } })}
      onClose={() => void closed.push(true)}
    />,
    { at: '/accounts', route: '/accounts', answers: { ...FIRM, ...answers } },
  )
  return { ...drawn, closed }
}

test('a new account is sent with its amounts, and empty fields as null', async () => {
  const { server, closed } = await open(undefined, { 'accounts.create': account() })
  await fill(await screen.findByLabelText(/^Account number/), ' 7000009 ')
  await fill(screen.getByLabelText(/^Balance/), '1.250,50')
  await pressButton('Add account')
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(server.of('accounts.create')[0]?.body).toMatchObject({
    traderId: 'trd_1',
    platform: 'terminal5',
    accountNumber: '7000009',
    externalId: null,
    currency: 'EUR',
    balance: '1250.50',
    leverage: 100,
    isDemo: false,
  })
})

test('untouched amounts of an account are not sent as a report of the platform', async () => {
  const { server } = await open(account(), { 'accounts.update': account({ version: 3 }) })
  await fill(await screen.findByLabelText(/^Leverage/), '200')
  await pressButton('Save')
  await waitFor(() => expect(server.of('accounts.update')).toHaveLength(1))
  const [asked] = server.of('accounts.update')
  expect(asked).toMatchObject({ body: { leverage: 200, status: 'active' }, ifMatch: '"2"' })
  expect(asked?.body).not.toHaveProperty('balance')
  expect(asked?.body).not.toHaveProperty('equity')
})

test('a confirmed balance is sent as a report even if it is unchanged', async () => {
  const { server } = await open(account(), { 'accounts.update': account({ version: 3 }) })
  await press(await seen('checkbox', /The platform shows this balance now/))
  await pressButton('Save')
  await waitFor(() => expect(server.of('accounts.update')[0]?.body).toMatchObject({ balance: '500.00' }))
  expect(server.of('accounts.update')[0]?.body).not.toHaveProperty('equity')
})

test.each(['0', '1.5', 'much'])('the leverage %p is refused', async (text) => {
  const { server } = await open(account())
  await fill(await screen.findByLabelText(/^Leverage/), text)
  await pressButton('Save')
  expect(await screen.findByText('A whole number such as 100')).toBeDefined()
  expect(server.of('accounts.update')).toEqual([])
})

test('the form of an account offers the firm’s platforms, and the account’s own one if it is gone', async () => {
  await open(account({ platform: 'gone' }))
  await press(await seen('combobox', 'Platform'))
  for (const name of ['Terminal 5', 'ownline', 'gone']) expect(await seen('option', name)).toBeDefined()
})

test('an account that a colleague changed first is reported, and the typed text stays', async () => {
  await open(account(), { 'accounts.update': refusal(412, 'version_mismatch', 'Changed') })
  const leverage = await screen.findByLabelText(/^Leverage/)
  await fill(leverage, '50')
  await pressButton('Save')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  expect(leverage).toHaveProperty('value', '50')
})

test('an account number that exists is reported at its field', async () => {
  await open(undefined, {
    'accounts.create': refusal(409, 'taken', 'Taken', [
      { path: '/accountNumber', message: 'Is linked to Noor Darwish' },
    ]),
  })
  await pressButton('Add account')
  expect(await screen.findByText('Is linked to Noor Darwish')).toBeDefined()
})

test('the list of accounts names the client and the platform of each', async () => {
  const { server } = await renderPage(<AccountList />, {
    at: '/accounts?currency=USD',
    route: '/accounts',
    answers: {
      ...FIRM,
      'accounts.list': buildPage(account(), account({ id: 'acc_2', isDemo: true, traderName: null })),
    },
  })
  expect(await screen.findByText('Ana Lima')).toBeDefined()
  expect(screen.getAllByText('Terminal 5')).toHaveLength(2)
  expect(server.of('accounts.list')[0]?.query).toMatchObject({ currency: 'USD' })
})

test('a note is asked for where the trading server names another person, and sent with it', async () => {
  const named = [{ path: 'note', message: 'The trading server names another person.' }]
  const { server } = await open(undefined, { 'accounts.create': refusal(422, 'note_required', 'A note.', named) })
  await screen.findByLabelText(/^Account number/)
  expect(screen.queryByLabelText('Note')).toBeNull()
  await pressButton('Add account')
  await fill(await screen.findByLabelText('Note'), ' his wife ')
  await pressButton('Add account')
  await waitFor(() => expect(server.of('accounts.create')).toHaveLength(2))
  expect(server.of('accounts.create')[1]?.body).toMatchObject({ note: 'his wife' })
})
