import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { wallet, withdrawal, withdrawalRow } from '../../../testing/money-samples.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { overview, trader } from '../../../testing/samples.ts'
import { CreateWithdrawal } from './create-withdrawal.tsx'

const open = async (
  answers: Answers = {},
  of: { id: string; name: string } | null = { id: 'trd_1', name: 'Ana Lima' },
) => {
  const done: string[] = []
  const drawn = await renderPage(
    <CreateWithdrawal {...(of && { trader: of })} onClose={() => undefined} onDone={({ id }) => done.push(id)} />,
    {
      at: '/withdrawals',
      route: '/withdrawals',
      answers: {
        'wallets.list': buildPage(wallet()),
        'traders.overview': overview(),
        'withdrawals.list': buildPage(),
        'withdrawals.reviews': buildPage(),
        ...answers,
      },
    },
  )
  return { ...drawn, done }
}
const choose = async (label: string | RegExp, option: RegExp): Promise<void> => {
  await press(await seen('combobox', label))
  await press(await seen('option', option))
}

test('a new withdrawal is sent as typed without surrounding blanks, and opened', async () => {
  const { server, done } = await open({ 'withdrawals.create': withdrawal({ id: 'wdr_new' }) })
  // the only wallet is chosen by itself
  await waitFor(() =>
    expect(screen.getByLabelText(/^Wallet/, { selector: 'input' })).toHaveProperty('value', 'EUR · 1,200.00 available'),
  )
  await fill(await screen.findByLabelText(/^Amount/), '1,000.00')
  await fill(screen.getByLabelText(/^IBAN or account number/), ' PT50000201231234567890154 ')
  await fill(screen.getByLabelText('Holder'), ' Ana Lima ')
  await pressButton('Create withdrawal')
  await waitFor(() => expect(done).toEqual(['wdr_new']))
  expect(server.of('withdrawals.create').map(({ body }) => body)).toEqual([
    {
      traderId: 'trd_1',
      currency: 'EUR',
      amount: '1000.00',
      destination: { kind: 'bank', reference: 'PT50000201231234567890154', holder: 'Ana Lima' },
    },
  ])
  expect(await screen.findByText('Withdrawal entered; the amount is held.')).toBeDefined()
})

test('a new withdrawal without a wallet, an amount and a destination is not sent', async () => {
  const two = buildPage(wallet(), wallet({ id: 'wal_2', currency: 'USD' }))
  const { server } = await open({ 'wallets.list': two })
  await pressButton('Create withdrawal')
  expect(await screen.findByText('Choose a wallet')).toBeDefined()
  expect(screen.getByText('Say where the money goes')).toBeDefined()
  expect(server.of('withdrawals.create')).toEqual([])
})

test('the reference field of a destination depends on its kind', async () => {
  await open()
  await choose('Destination', /^Crypto/)
  expect(await screen.findByLabelText(/^Address/)).toBeDefined()
  expect(screen.queryByLabelText(/^IBAN/)).toBeNull()
})

test('a client without a wallet has nothing to choose, and the form says why', async () => {
  await open({ 'wallets.list': buildPage() })
  expect(await screen.findByText('This client has no wallet yet: nothing has been credited.')).toBeDefined()
})

test('a change of the client clears the fields that belong to the former client', async () => {
  const { server } = await open(
    {
      'traders.list': buildPage(
        trader(),
        trader({ id: 'trd_2', firstName: 'Noor', lastName: 'Darwish', email: 'noor@mail.example' }),
      ),
    },
    null,
  )
  await choose(/^Client/, /^Ana Lima/)
  await choose(/^Wallet/, /^EUR/)
  await fill(await screen.findByLabelText(/^Amount/), '10')
  await fill(screen.getByLabelText(/^IBAN or account number/), 'PT50')
  await choose(/^Client/, /^Noor Darwish/)
  await waitFor(() => expect(screen.getByLabelText(/^IBAN or account number/)).toHaveProperty('value', ''))
  expect(screen.getByLabelText(/^Amount/)).toHaveProperty('value', '')
  await waitFor(() => expect(server.of('wallets.list').map(({ query }) => query.traderId)).toEqual(['trd_1', 'trd_2']))
})

test('a wrong destination is reported at its field', async () => {
  await open({
    'withdrawals.create': refusal(422, 'validation_failed', 'Not valid', [
      { path: '/destination/reference', message: 'The check digits of this IBAN are wrong' },
    ]),
  })
  await choose(/^Wallet/, /^EUR/)
  await fill(await screen.findByLabelText(/^Amount/), '10')
  await fill(screen.getByLabelText(/^IBAN or account number/), 'PT51')
  await pressButton('Create withdrawal')
  expect(await screen.findByText('The check digits of this IBAN are wrong')).toBeDefined()
})

const check = (name: string, state: 'fine' | 'blocks') => ({
  name,
  state,
  ok: state === 'fine',
  blocks: true,
  text: 'T',
})

test('the form says at once that a client may not withdraw, with a link to the documents', async () => {
  await open({ 'traders.overview': overview({ withdrawalChecks: [check('trader', 'fine'), check('kyc', 'blocks')] }) })
  expect(await screen.findByText('No withdrawal can be created for this client now')).toBeDefined()
  expect((await seen('link', 'Open the documents of the client')).getAttribute('href')).toBe(
    '/admin/traders/trd_1?tab=kyc',
  )
})

test('the form shows the checks and no warning if a client may withdraw', async () => {
  await open({ 'traders.overview': overview({ withdrawalChecks: [check('kyc', 'fine')] }) })
  await seen('list', 'What a withdrawal needs')
  expect(screen.queryByText(/^No withdrawal can be created/)).toBeNull()
})

test('the button of an earlier destination fills in the destination', async () => {
  const before = withdrawal()
  await open({ 'withdrawals.list': buildPage(withdrawalRow()), 'withdrawals.reviews': buildPage(before) })
  await pressButton(before.destination.reference)
  expect(screen.getByLabelText(/^IBAN or account number/)).toHaveProperty('value', before.destination.reference)
})

test.each([
  ['12 34', 'Not an IBAN: it has no check digits'],
  ['NOT-AN-IBAN', 'Not an IBAN: it has no check digits'],
  ['NO93 8601 1117 94', 'IBAN, not complete yet'],
  ['NO93 8601 1117 947', 'IBAN: the check digits are right'],
  ['iban no9386011117947', 'IBAN: the check digits are right'],
  ['NO93 8601 1117 948', 'The check digits or the length of this IBAN are wrong'],
])('the field of the account number says about “%s”: “%s”', async (typed, words) => {
  await open()
  await fill(await screen.findByLabelText(/^IBAN or account number/), typed)
  expect(await screen.findByText(words)).toBeDefined()
})
