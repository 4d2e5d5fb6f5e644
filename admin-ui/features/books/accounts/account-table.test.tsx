import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { DESKTOP, PHONE } from '../../../testing/dom.ts'
import { account } from '../../../testing/money-samples.ts'
import { keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import { AccountList } from './account-list.tsx'
import { accountName, platformName } from './account-words.ts'
import { accountsTab } from './trader-accounts.tsx'

const FIRM: Answers = { 'tenants.current': Response.json({ platforms: ['terminal5'] }) }
const open = (answers: Answers = {}, role: Role = 'manager', width = DESKTOP) =>
  renderPage(<AccountList />, {
    at: '/accounts',
    route: '/accounts',
    role,
    width,
    answers: { ...FIRM, 'auth.me': meAs(role), 'accounts.list': buildPage(account()), ...answers },
  })
const remove = async (): Promise<void> => {
  await pressButton('Actions for account 7000001')
  await press(await seen('menuitem', 'Delete'))
}
const confirm = async (): Promise<void> =>
  press(within(await seen('dialog', 'Delete this account')).getByRole('button', { name: 'Delete account' }))

test('an account shows its balances and terms', async () => {
  await open({}, 'viewer')
  const cells = within(await seen('row', /7000001/)).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    '7000001',
    'Ana Lima',
    'Active',
    '500.00 USD',
    '510.00 USD',
    'Terminal 5',
    'Real',
    '1:100',
  ])
})

test('a viewer opens the page of an account with Enter, and neither adds nor changes one', async () => {
  const { address } = await open({}, 'viewer')
  await seen('row', /7000001/)
  await keys('{ArrowDown}')
  expect(screen.queryByRole('button', { name: 'New account' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
  await keys('{Enter}')
  await waitFor(() => expect(address()).toBe('/accounts/acc_1'))
})

test('an operator changes an account, and cannot delete it', async () => {
  await open({}, 'operator')
  await seen('row', /7000001/)
  await pressButton('Actions for account 7000001')
  await press(await seen('menuitem', 'Edit'))
  expect(await screen.findByLabelText(/^Leverage/)).toHaveProperty('value', '100')
  await keys('{Escape}')
  await pressButton('Actions for account 7000001')
  await seen('menuitem', 'Edit')
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
})

test('an account is deleted after a question with its name, and only if nobody changed it meanwhile', async () => {
  const { server } = await open({
    'accounts.list': buildPage(account({ traderName: null })),
    'accounts.delete': new Response(null, { status: 204 }),
  })
  await remove()
  const question = await seen('dialog', 'Delete this account')
  for (const words of ['7000001', 'Deleted client']) expect(question.textContent).toContain(words)
  await confirm()
  expect(await screen.findByText('Account deleted.')).toBeDefined()
  expect(server.of('accounts.delete')).toMatchObject([{ params: { id: 'acc_1' }, ifMatch: '"2"' }])
})

test('an account with money cannot be deleted, and its amount is shown', async () => {
  await open({ 'accounts.delete': refusal(409, 'not_empty', 'The account still holds 1500.00 USD.') })
  await remove()
  await confirm()
  expect(await screen.findByText('The account still holds 1,500.00 USD.')).toBeDefined()
})

test('a deletion of an account that gets no answer says that it may have been done', async () => {
  const { server } = await open({ 'accounts.delete': noAnswer })
  await remove()
  await confirm()
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  expect(server.of('accounts.delete')).toHaveLength(1)
})

test('a client’s page lists only that client’s accounts, without the client’s name', async () => {
  const { server } = await renderPage(accountsTab.panel(trader()), {
    at: '/traders/trd_1?tab=accounts',
    route: '/traders/$id',
    role: 'operator',
    answers: { ...FIRM, 'accounts.list': buildPage(account({ isDemo: true })) },
  })
  const row = await seen('row', /7000001/)
  expect(row.textContent).not.toContain('Ana Lima')
  expect(row.textContent).toContain('Demo')
  expect(server.of('accounts.list')[0]?.query).toMatchObject({ traderId: 'trd_1' })
  await pressButton('New account')
  const form = within(await seen('dialog', 'New account'))
  expect(form.getByLabelText('Client')).toHaveProperty('value', 'Ana Lima')
})

test.each([
  [{ accountNumber: '7', externalId: 'x' }, '7'],
  [{ accountNumber: null, externalId: 'x' }, 'x'],
  [{ accountNumber: null, externalId: null }, 'acc_1'],
])('an account with %j is called %s', (with_, name) => {
  expect(accountName(account(with_))).toBe(name)
})

test('a platform of the firm is shown by its own name', () => {
  expect([platformName('terminal4'), platformName('ownline')]).toEqual(['Terminal 4', 'ownline'])
})

test('the card of an account on a phone names its client', async () => {
  await open({}, 'manager', PHONE)
  const [card] = within(await seen('list', 'Accounts')).getAllByRole('listitem')
  expect(card?.textContent).toContain('Ana Lima')
})
