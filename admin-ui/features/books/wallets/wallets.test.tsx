import { expect, test } from 'bun:test'
import { type Answers, buildPage, noAnswer } from '../../../testing/answers.ts'
import { wallet } from '../../../testing/money-samples.ts'
import { keys, press, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { LedgerPage } from './ledger-page.tsx'
import { WalletList } from './wallet-list.tsx'
import type { LedgerEntry, TrialBalance } from './wallets.api.ts'

const entry = (with_: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: 'len_1',
  transactionId: 'ltx_1',
  walletId: 'wal_eur',
  account: 'client_available',
  currency: 'EUR',
  amount: '-1500.00',
  createdAt: '2026-11-20T10:00:00.000Z',
  kind: 'withdrawal_hold',
  causeId: 'wdr_1',
  reference: null,
  balance: '0.00',
  ...with_,
})
const openList = (answers: Answers = {}) =>
  renderPage(<WalletList />, {
    at: '/wallets',
    route: '/wallets',
    answers: { 'wallets.list': buildPage(wallet()), ...answers },
  })

test('each wallet shows its client, its available and its held money', async () => {
  await openList({ 'wallets.list': buildPage(wallet({ held: '0.05' }), wallet({ id: 'wal_2', traderName: null })) })
  const rows = within(await seen('table', 'Wallets')).getAllByRole('row')
  const [, first, second] = rows
  expect(first?.textContent).toContain('Ana Lima')
  expect(first?.textContent).toContain('1,200.00')
  expect(first?.textContent).toContain('0.05')
  // A wallet without a client's name must not show the word null.
  expect(second?.textContent).not.toContain('null')
})

test('a wallet opens with its movements, newest first, and names the client in its title', async () => {
  const { server } = await openList({
    'wallets.entries': buildPage(
      entry(),
      entry({ id: 'len_2', account: 'client_held', amount: '1500.00', balance: '1500.00' }),
      entry({ id: 'len_3', kind: 'deposit', causeId: 'dep_1', reference: 'BA-1', amount: '70.00', balance: '1500.00' }),
    ),
  })
  await seen('table', 'Wallets')
  await keys('{ArrowDown}{Enter}')
  const drawer = within(await seen('dialog', 'EUR wallet of Ana Lima'))
  const table = within(await drawer.findByRole('table', { name: 'Entries' }))
  const rows = table.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows[1]).toMatch(/^Withdrawal requested−1,500.00 EUR0.00 EURAvailable/)
  expect(rows[2]).toMatch(/^Withdrawal requested\+1,500.00 EUR1,500.00 EURHeld/)
  expect(rows[3]).toMatch(/^Deposit BA-1\+70.00 EUR/)
  expect(table.getByRole('link', { name: 'Deposit BA-1' }).getAttribute('href')).toContain('/deposits/dep_1')
  expect(server.of('wallets.entries')[0]?.params).toEqual({ id: 'wal_eur' })
})

test('a wallet whose client may not be named is called by its currency alone', async () => {
  await openList({ 'wallets.list': buildPage(wallet({ traderName: null })), 'wallets.entries': buildPage() })
  await seen('table', 'Wallets')
  await keys('{ArrowDown}{Enter}')
  const drawer = within(await seen('dialog', 'EUR wallet'))
  expect(await drawer.findByText('No movements yet')).toBeDefined()
})

test('an empty list of wallets explains where the first one comes from', async () => {
  await openList({ 'wallets.list': buildPage() })
  expect(await screen.findByText('No wallets yet')).toBeDefined()
})

const books = (with_: Partial<TrialBalance> = {}): TrialBalance => ({
  balanced: true,
  accounts: [
    { account: 'gateway_clearing', currency: 'EUR', balance: '-1200.00', entries: 3 },
    { account: 'client_available', currency: 'EUR', balance: '1200.00', entries: 12_345 },
    { account: 'client_held', currency: 'USD', balance: '0.00', entries: 2 },
  ],
  totals: [
    { currency: 'EUR', balance: '0.00' },
    { currency: 'USD', balance: '0.00' },
  ],
  ...with_,
})
const openBooks = (answer: NonNullable<Answers['ledger.trialBalance']> = books()) =>
  renderPage(<LedgerPage />, { at: '/ledger', route: '/ledger', answers: { 'ledger.trialBalance': answer } })

test('the books have a table for each currency, which says that they balance', async () => {
  await openBooks()
  expect(await screen.findByText('The books balance')).toBeDefined()
  const euro = within(await seen('table', 'Ledger in EUR'))
  expect(euro.getByText('12,345')).toBeDefined()
  expect(euro.getAllByText(/1,200\.00/)).toHaveLength(2)
  expect(within(await seen('table', 'Ledger in USD')).queryByText('12,345')).toBeNull()
})

test('money of clients in the books links to their wallets in that currency, and nothing else is a link', async () => {
  const { address } = await openBooks()
  const euro = within(await seen('table', 'Ledger in EUR'))
  expect(euro.getAllByRole('link')).toHaveLength(1)
  await press(euro.getByRole('link', { name: 'Clients, available' }))
  await waitFor(() => expect(address()).toBe('/wallets?currency=EUR'))
})

test('books that do not balance say so at the top', async () => {
  await openBooks(books({ balanced: false, totals: [{ currency: 'EUR', balance: '0.01' }] }))
  expect(await screen.findByText('The books do not balance')).toBeDefined()
  expect(screen.queryByText('The books balance')).toBeNull()
  expect(within(await seen('table', 'Ledger in EUR')).getByText(/0\.01/)).toBeDefined()
})

test('books without a movement have no table', async () => {
  await openBooks(books({ accounts: [], totals: [] }))
  expect(await screen.findByText('No movements yet')).toBeDefined()
  expect(screen.queryByRole('table')).toBeNull()
})

test('books that could not be read are not reported as balanced, and are read again', async () => {
  let tries = 0
  await openBooks(() => {
    tries += 1
    return tries < 4 ? noAnswer() : books()
  })
  const again = await seen('button', 'Try again')
  expect(screen.queryByText(/The books/)).toBeNull()
  await press(again)
  expect(await screen.findByText('The books balance')).toBeDefined()
})
