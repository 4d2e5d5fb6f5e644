import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { account, position, transfer, wallet } from '../../../testing/money-samples.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import { findFree, type TerminalAccount } from './account.api.ts'
import { AccountPage } from './account-page.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const said = (with_: Partial<TerminalAccount> = {}): TerminalAccount => ({
  connectionId: 'trm_1',
  login: '7000001',
  state: 'there',
  at: AT,
  asked: true,
  ours: { balance: '500.00', equity: '510.00', currency: 'USD', leverage: 100, at: AT },
  theirs: {
    balance: '500.00',
    equity: '640.00',
    currency: 'USD',
    leverage: 200,
    credit: '100.00',
    marginFree: '480.00',
    group: 'real\\usd',
    mayTrade: true,
    maySignIn: true,
  },
  differs: ['equity', 'leverage'],
  ...with_,
})
const ENDS: Answers = { 'accounts.list': buildPage(account()), 'wallets.list': buildPage(wallet({ currency: 'USD' })) }
const open = (answers: Answers = {}, role: Role = 'manager', at = '/accounts/acc_1') =>
  renderPage(<AccountPage />, {
    at,
    route: '/accounts/$id',
    role,
    answers: {
      'accounts.get': account(),
      'accounts.terminal': said(),
      'traders.get': trader(),
      'positions.list': buildPage(),
      'platforms.connections.list': buildPage(),
      ...answers,
    },
  })

test('an account shows ours beside the words of its server, and marks what differs', async () => {
  await open()
  await seen('heading', 'Account 7000001')
  const rows = within(await seen('table', 'Ours beside the trading server')).getAllByRole('row')
  expect(rows.map((row) => [row.textContent, row.hasAttribute('data-differs')])).toEqual([
    [expect.stringMatching(/^Ours.*Server/), false],
    ['Balance500.00 USD500.00 USD', false],
    ['Equity510.00 USD640.00 USDDiffers', true],
    ['CurrencyUSDUSD', false],
    ['Leverage1:1001:200Differs', true],
  ])
  expect(screen.getByText('380.00', { exact: false })).toBeDefined()
})

test.each([
  ['less margin than balance', { balance: '500.00', credit: '100.00', marginFree: '480.00' }, '380.00'],
  ['more margin than balance', { balance: '500.00', credit: '0.00', marginFree: '640.00' }, '500.00'],
  ['less margin than credit', { balance: '500.00', credit: '100.00', marginFree: '80.00' }, '0.00'],
  ['no trade state', { balance: '500.00', credit: '100.00', marginFree: null }, '500.00'],
])('what is free of an account with %s', (_, amounts, free) => {
  expect(findFree({ ...said().theirs, ...amounts })).toBe(free)
})

test('an account on no connected server says so, and shows what was reported', async () => {
  await open({ 'accounts.terminal': refusal(409, 'not_on_terminal', 'Not there') })
  expect(await screen.findByText(/No trading server is connected for this account/)).toBeDefined()
  expect(screen.getByText('510.00', { exact: false })).toBeDefined()
  expect(screen.queryByRole('tab', { name: 'Findings' })).toBeNull()
  expect(await screen.findByText('They come with what is traded on this account.')).toBeDefined()
})

test.each([
  [{ asked: false }, /did not answer now/],
  [{ state: 'archived' }, /has archived this login/],
  [{ state: 'gone' }, /lists this login no more/],
  [{ state: 'reused' }, /gave this number to another account/],
] as const)('old words of a server are told to be old: %p', async (with_, text) => {
  await open({ 'accounts.terminal': said(with_) })
  expect(await screen.findByText(text)).toBeDefined()
})

test('a position of the account shows its deals to managers', async () => {
  const { server } = await open({ 'positions.list': buildPage(position()), 'platforms.deals.list': buildPage() })
  await press(await seen('button', 'EURUSD'))
  await seen('dialog', 'EURUSD, long')
  expect(server.of('positions.list')[0]?.query).toMatchObject({ accountId: 'acc_1' })
  expect(server.of('platforms.deals.list')[0]?.query).toMatchObject({
    connectionId: 'trm_1',
    position: position().ticket,
    sort: 'at',
  })
})

test('an operator sees neither deals nor findings', async () => {
  const { server } = await open({ 'positions.list': buildPage(position()) }, 'operator')
  await press(await seen('button', 'EURUSD'))
  await seen('dialog', 'EURUSD, long')
  expect(server.of('platforms.deals.list')).toEqual([])
  expect(screen.queryByRole('tab', { name: 'Findings' })).toBeNull()
})

test('the findings of the account are those of its login', async () => {
  const { server } = await open({ 'platforms.findings.list': buildPage() }, 'manager', '/accounts/acc_1?tab=findings')
  expect(await screen.findByText('No findings yet')).toBeDefined()
  expect(server.of('platforms.findings.list')[0]?.query).toMatchObject({
    connectionId: 'trm_1',
    login: '7000001',
    state: 'open',
  })
})

test('money is moved to the account with M, which stays chosen when the source is', async () => {
  const { server } = await open({ ...ENDS, 'transfers.create': transfer() })
  await seen('button', 'Move money here')
  await keys('m')
  await seen('dialog', 'New transfer')
  expect(await screen.findByText(/It is the lesser of the balance/)).toBeDefined()
  await press(await seen('combobox', 'From'))
  await press(await seen('option', /^USD/))
  await fill(await screen.findByLabelText(/^Amount/), '25')
  await pressButton('Transfer')
  expect(await screen.findByText(/is on its way/)).toBeDefined()
  expect(server.of('transfers.create')[0]?.body).toMatchObject({ toAccountId: 'acc_1', amount: '25.00' })
})

test('a manager takes money out of the account', async () => {
  const { server } = await open({ ...ENDS, 'transfers.create': transfer() })
  await pressButton('Actions')
  await press(await seen('menuitem', 'Take money out'))
  await press(await seen('combobox', 'To'))
  await press(await seen('option', /^USD/))
  await fill(await screen.findByLabelText(/^Amount/), '25')
  await pressButton('Transfer')
  expect(await screen.findByText(/is on its way/)).toBeDefined()
  expect(server.of('transfers.create')[0]?.body).toMatchObject({ fromAccountId: 'acc_1', amount: '25.00' })
})

test('a viewer has no acts', async () => {
  await open({}, 'viewer')
  await seen('heading', 'Account 7000001')
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull()
})

test('a demo account takes no money', async () => {
  await open({ 'accounts.get': account({ isDemo: true }) })
  await seen('button', 'Actions')
  expect(screen.queryByRole('button', { name: 'Move money here' })).toBeNull()
})

test('a deleted account leads back to the list', async () => {
  const { address } = await open({ 'accounts.delete': Response.json(null, { status: 200 }) })
  await pressButton('Actions')
  await press(await seen('menuitem', 'Delete'))
  await press(within(await seen('dialog', 'Delete this account')).getByRole('button', { name: 'Delete account' }))
  expect(await screen.findByText('another page')).toBeDefined()
  expect(address()).toBe('/accounts')
})

test('what is asked of the server for the account is asked with its groups of that currency', async () => {
  const of = (name: string, currency: string) => ({ name, currency })
  const groupsRead = [of('real\\usd', 'USD'), of('real\\eur', 'EUR')]
  const connection = { id: 'trm_1', confirmedAt: AT, groupsRead }
  const { server } = await open({
    'platforms.connections.list': () => Response.json({ data: [connection], nextCursor: null }),
    'accounts.changes': () => Response.json({ id: 'tin_1' }, { status: 202 }),
  })
  await pressButton('At the server')
  await press(await seen('menuitem', 'Stop trading'))
  await press(within(await seen('dialog', 'Stop trading')).getByRole('button', { name: 'Ask the server' }))
  await waitFor(() => expect(server.of('accounts.changes')[0]?.body).toEqual({ trading: 'off' }))
})
