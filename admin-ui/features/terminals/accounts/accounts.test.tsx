import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { InstructionTable } from './instruction-table.tsx'
import { nameOutcome } from './instruction-words.tsx'
import { OpenAccount } from './open-account.tsx'
import { OrderActs } from './order-acts.tsx'
import type { Instruction } from './orders.api.ts'
import { PasswordsPage } from './passwords-page.tsx'

const AT = '2026-01-10T09:00:00.000Z'
const instruction = (with_: Partial<Instruction> = {}): Instruction => ({
  id: 'tin_1',
  connectionId: 'trm_1',
  kind: 'leverage',
  state: 'queued',
  traderId: 'trd_1',
  accountId: 'acc_1',
  transferId: null,
  login: '5001',
  reference: 'BB-000000000001',
  currency: 'USD',
  amount: null,
  value: { leverage: 50 },
  askedBy: null,
  sentAt: null,
  tries: [{ at: AT, what: 'sent', came: 'unclear lost', times: 2 }],
  answer: null,
  why: null,
  number: null,
  decidedBy: null,
  endedAt: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const openTable = (row: Instruction, answers = {}) =>
  renderPage(<InstructionTable fixed={{ accountId: 'acc_1' }} />, {
    at: '/platforms/instructions',
    route: '/platforms/instructions',
    answers: { 'platforms.instructions.list': buildPage(row), ...answers },
  })

test('an instruction shows its tries in words, and is taken back while it waits', async () => {
  const { server } = await openTable(instruction(), { 'platforms.instructions.cancel': instruction() })
  expect(server.of('platforms.instructions.list')[0]?.query).toMatchObject({ accountId: 'acc_1' })
  await press(await screen.findByRole('button', { name: 'Leverage' }))
  const drawer = within(await seen('dialog', 'Leverage'))
  expect(drawer.getByText('The answer did not come whole (lost).')).toBeDefined()
  await press(drawer.getByRole('button', { name: 'Take back' }))
  await press(within(await seen('dialog', 'Take back')).getByRole('button', { name: 'Take back' }))
  expect(await screen.findByText('Instruction taken back.')).toBeDefined()
  expect(server.of('platforms.instructions.cancel')).toHaveLength(1)
})

test('one that nobody knows about says what to look for', async () => {
  await openTable(instruction({ kind: 'open', state: 'unresolved', value: { group: 'real', leverage: 50 } }))
  await press(await screen.findByRole('button', { name: 'Open an account' }))
  const drawer = within(await seen('dialog', 'Open an account'))
  expect(drawer.getByText(/^Search for a login with the comment/).textContent).toContain('BB-000000000001')
  expect(drawer.getByRole('button', { name: 'It was not done' })).toBeDefined()
})

test('each outcome of a try has words', () => {
  const words = ['done 1', 'none', 'differs', 'ended', 'refused 3002', 'not_sent busy', 'busy'].map(nameOutcome)
  expect(new Set(words).size).toBe(words.length)
  expect(words[4]).toContain('3002')
})

test('an operator is offered what stops and passwords, a manager all of it', async () => {
  const acts = <OrderActs accountId="acc_1" leverage={100} groups={['real']} mayTrade maySignIn={false} />
  const { server } = await renderPage(acts, { answers: { 'accounts.changes': instruction() } })
  await pressButton('At the server')
  await press(await screen.findByRole('menuitem', { name: 'Stop trading' }))
  await press(within(await seen('dialog', 'Stop trading')).getByRole('button', { name: 'Ask the server' }))
  expect(await screen.findByText('Asked of the trading server.')).toBeDefined()
  await pressButton('At the server')
  await press(await screen.findByRole('menuitem', { name: 'Change leverage' }))
  const form = within(await seen('dialog', 'Change leverage'))
  await fill(form.getByLabelText('Leverage'), '20000{Enter}')
  expect(await form.findByText('A whole number from 1 to 10,000')).toBeDefined()
  expect(server.of('accounts.changes').map(({ body }) => body)).toEqual([{ trading: 'off' }])
})

test('the passwords of an account are read only when they are asked for, and shown once', async () => {
  const { server } = await renderPage(<PasswordsPage />, {
    at: '/account-passwords?token=tok_1',
    route: '/account-passwords',
    answers: { 'accounts.passwords.reveal': { server: 'Live', login: '5001', main: 'Aa1!', investor: null } },
  })
  const show = await seen('button', 'Show now')
  expect(server.of('accounts.passwords.reveal')).toEqual([])
  await press(show)
  expect(await screen.findByText('Aa1!')).toBeDefined()
  expect(screen.queryByText('Investor password')).toBeNull()
  expect(server.of('accounts.passwords.reveal').map(({ body }) => body)).toEqual([{ token: 'tok_1' }])
})

test('an account is opened at a server, with a group that is known and its currency', async () => {
  const open = <OpenAccount trader={{ id: 'trd_1', name: 'Ada Abel' }} onClose={() => undefined} />
  const { server } = await renderPage(open, { answers: { 'platforms.connections.list': buildPage() } })
  const form = within(await seen('dialog', 'Open account at a server'))
  await press(form.getByRole('button', { name: 'Open account' }))
  expect(await form.findByText('Choose a trading server')).toBeDefined()
  expect(server.of('accounts.open')).toEqual([])
})

test.each([
  ['the only trading server is chosen from the start', ['trm_1'], 'Server trm_1'],
  ['of two trading servers none is chosen from the start', ['trm_1', 'trm_2'], ''],
])('%s', async (_name, ids, shown) => {
  const data = ids.map((id) => ({ id, name: `Server ${id}`, status: 'active', groupsRead: [] }))
  const open = <OpenAccount trader={{ id: 'trd_1', name: 'Ada Abel' }} onClose={() => undefined} />
  await renderPage(open, { answers: { 'platforms.connections.list': () => Response.json({ data, nextCursor: null }) } })
  const form = within(await seen('dialog', 'Open account at a server'))
  expect(form.getByRole('combobox', { name: 'Trading server' })).toHaveProperty('value', shown)
})
