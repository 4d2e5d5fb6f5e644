import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { account, transfer } from '../../../testing/money-samples.ts'
import { keys, press, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import { transfersTab } from './trader-transfers.tsx'

const open = (...rows: ReturnType<typeof transfer>[]) =>
  renderPage(transfersTab.panel(trader()), {
    at: '/traders/trd_1?tab=transfers',
    route: '/traders/$id',
    role: 'manager',
    answers: { 'transfers.list': buildPage(...rows), 'accounts.get': account() },
  })

test('a client’s page lists only that client’s transfers, without the client’s name', async () => {
  const { server } = await open(transfer())
  expect((await seen('row', /TRF-1/)).textContent).not.toContain('Ana Lima')
  expect(server.of('transfers.list')[0]?.query).toMatchObject({ traderId: 'trd_1' })
})

test('a transfer opens with its fixed rate and the platform’s report', async () => {
  await open(transfer({ state: 'refused', refusalReason: 'Account is read-only', toAmount: '1271.12' }))
  await press(within(await seen('row', /TRF-1/)).getByText('TRF-1'))
  const drawer = within(await seen('dialog', 'TRF-1'))
  for (const words of ['1.0845', 'Manual', 'Account is read-only']) expect(drawer.getByText(words)).toBeDefined()
  expect(drawer.getByText('1,271.12', { exact: false })).toBeDefined()
  expect(drawer.queryByText('Note')).toBeNull()
})

test('the arrow keys mark no transfer on a client’s page', async () => {
  await open(transfer())
  await seen('row', /TRF-1/)
  await keys('{ArrowDown}{Enter}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the page says that a client has no transfers', async () => {
  await open()
  expect(await screen.findByText('No transfers yet')).toBeDefined()
})
