import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import type { Merge } from './merge.api.ts'
import { MergePage } from './merge-page.tsx'

const ana = trader()
const twin = trader({
  id: 'trd_2',
  firstName: 'Anna',
  email: 'anna@mail.example',
  country: null,
  kycLevel: 2,
  tags: [],
})
const merge = (with_: Partial<Merge> = {}): Merge => ({
  id: null,
  dryRun: true,
  primaryId: 'trd_1',
  secondaryId: 'trd_2',
  needsRole: 'manager',
  moves: [],
  collisions: [],
  lost: [],
  wallets: [],
  ...with_,
})
const BOTH = '/merge?primary=trd_1&secondary=trd_2'
const open = (answers: Answers = {}, { at = BOTH, role = 'manager' }: { at?: string; role?: Role } = {}) =>
  renderPage(<MergePage />, {
    at,
    route: '/merge',
    role,
    answers: {
      'auth.me': meAs(role),
      'traders.list': buildPage(ana, twin),
      'traders.get': ({ params }) => (params.id === 'trd_2' ? twin : ana),
      'traders.merge': merge(),
      ...answers,
    },
  })
const findFacts = async (title: string): Promise<string[]> => {
  const section = (await seen('heading', title)).closest('section')
  if (!section) throw new Error(`no section is called ${title}`)
  return [...section.querySelectorAll('li')].map(({ textContent }) => textContent?.trim() ?? '')
}
const confirm = async (): Promise<void> => {
  await pressButton('Merge')
  const dialog = within(await seen('dialog', 'Merge Anna Lima into Ana Lima'))
  await press(dialog.getByRole('button', { name: 'Merge' }))
}

test('the merge page shows two clients side by side, and viewing them merges nothing', async () => {
  const { server } = await open()
  const table = within(await seen('table', 'Side by side'))
  const lines = table.getAllByRole('row').slice(1)
  const words = lines.map((line) => [...line.children].map(({ textContent }) => textContent))
  expect(words).toContainEqual(['Name', 'Ana Lima', 'Anna Lima'])
  expect(words).toContainEqual(['Date of birth', 'Feb 3, 1990', 'Feb 3, 1990'])
  expect(words).toContainEqual(['Country', 'Portugal', '—'])
  expect(words).toContainEqual(['Identity', 'Approved, level 1', 'Approved, level 2'])
  const differing = lines.filter((line) => line.hasAttribute('data-differs'))
  expect(differing.map(({ firstChild }) => firstChild?.textContent)).toEqual(['Name', 'E-mail', 'Country', 'Identity'])
  expect(server.of('traders.merge').map(({ body }) => body)).toEqual([
    { primaryId: 'trd_1', secondaryId: 'trd_2', dryRun: true },
  ])
})

test('the merge page shows beforehand what would move, be combined and be lost', async () => {
  await open({
    'traders.merge': merge({
      moves: [
        { kind: 'deposit', count: 1200 },
        { kind: 'ticket', count: 1 },
        { kind: 'loyalty_card', count: 3 },
      ],
      collisions: [{ kind: 'approval', count: 1 }],
      lost: ['kycLevel', 'password'],
      wallets: [
        { currency: 'EUR', available: '1500.00', held: '250.00' },
        { currency: 'USD', available: '7.00', held: '0.00' },
      ],
    }),
  })
  expect(await findFacts('Moves')).toEqual([
    '1,500.00 EUR + held 250.00 EUR',
    '7.00 USD',
    '1,200 deposits',
    '1 ticket',
    'Loyalty card (3)',
  ])
  expect(await findFacts('Both have')).toEqual(['1 open withdrawal loses its approvals.'])
  expect(await findFacts('Is lost')).toEqual(['Higher identity level', 'Password'])
})

test('a merge is confirmed with both names, done, and opens the remaining client', async () => {
  const { server, address } = await open()
  await confirm()
  expect(await screen.findByText('Anna Lima is part of Ana Lima now.')).toBeDefined()
  await waitFor(() => expect(address()).toBe('/traders/trd_1'))
  expect(server.of('traders.merge').at(-1)?.body).toEqual({ primaryId: 'trd_1', secondaryId: 'trd_2' })
  expect(server.of('traders.get').filter(({ params }) => params.id === 'trd_2')).toHaveLength(1)
})

test('after a merge, lists with rows of the merged client are read again', async () => {
  const { client } = await open()
  const lists = ['deposits', 'wallets', 'withdrawals', 'accounts', 'kyc', 'support', 'positions', 'leads']
  for (const list of lists) client.setQueryData([list, 'list'], buildPage())
  await confirm()
  await waitFor(() => expect(lists.filter((list) => !client.getQueryState([list, 'list'])?.isInvalidated)).toEqual([]))
})

test('a merge that got no answer is sent again with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open({
    'traders.merge': ({ body }) =>
      Object(body).dryRun ? merge() : ++times === 1 ? noAnswer() : merge({ id: 'mrg_1', dryRun: false }),
  })
  await confirm()
  const dialog = within(await seen('dialog', 'Merge Anna Lima into Ana Lima'))
  expect(await dialog.findByText(/No answer came/)).toBeDefined()
  await press(dialog.getByRole('button', { name: 'Merge' }))
  expect(await screen.findByText('Anna Lima is part of Ana Lima now.')).toBeDefined()
  const acts = server.of('traders.merge').filter(({ body }) => !Object(body).dryRun)
  expect(acts).toHaveLength(2)
  expect(new Set(acts.map(({ key }) => key)).size).toBe(1)
})

test('a refused merge shows why over the dialog, which Escape closes', async () => {
  const { server, address } = await open()
  await seen('button', 'Merge')
  server.now({ 'traders.merge': refusal(409, 'two_affiliates', 'Both clients are introducing brokers.') })
  await confirm()
  expect(await screen.findByText('Both clients are introducing brokers.')).toBeDefined()
  await keys('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe(BOTH)
})

test.each([
  ['manager', true],
  ['admin', false],
] as const)('the merge button of a %s is disabled if money is moving: %s', async (role, isOff) => {
  await open({ 'traders.merge': merge({ needsRole: 'admin' }) }, { role })
  expect(await seen('button', 'Merge')).toHaveProperty('disabled', isOff)
  expect(screen.queryByText(/so an admin merges them\.$/) !== null).toBe(isOff)
})

test('the two clients of a merge are swapped, and its effects are read again', async () => {
  const { server, address } = await open()
  await seen('button', 'Merge')
  await pressButton('Swap')
  await waitFor(() => expect(address()).toBe('/merge?primary=trd_2&secondary=trd_1'))
  await waitFor(() => expect(server.of('traders.merge').at(-1)?.body).toMatchObject({ primaryId: 'trd_2' }))
})

test('the second client of a merge is found by name and chosen with Enter', async () => {
  const { address } = await open({ 'traders.list': buildPage(twin) }, { at: '/merge?primary=trd_1' })
  expect(await screen.findByText('Choose two clients')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Swap' })).toBeNull()
  await fill(await seen('combobox', 'Goes'), 'anna')
  await seen('option', 'Anna Lima · anna@mail.example')
  await keys('{Enter}')
  await waitFor(() => expect(address()).toBe(BOTH))
})

test('the same client on both sides of a merge reads no effects', async () => {
  const { server } = await open({}, { at: '/merge?primary=trd_1&secondary=trd_1' })
  expect(await screen.findByText('Both are the same client')).toBeDefined()
  expect(server.of('traders.merge')).toEqual([])
})

test('a merge that is not possible shows the reason, and “Try again” asks for the effects again', async () => {
  const { server } = await open({
    'traders.merge': () => refusal(409, 'two_affiliates', 'Close one of the two first.'),
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Close one of the two first.')
  expect(screen.queryByRole('button', { name: 'Merge' })).toBeNull()
  server.now({ 'traders.merge': merge() })
  await pressButton('Try again')
  expect(await seen('button', 'Merge')).toBeDefined()
})
