import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { wallet } from '../../../testing/money-samples.ts'
import { press, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { trader } from '../../../testing/samples.ts'
import { walletsTab } from './trader-wallets.tsx'

const open = (...wallets: ReturnType<typeof wallet>[]) =>
  renderPage(walletsTab.panel(trader()), {
    at: '/traders/trd_1?tab=wallets',
    route: '/traders/$id',
    answers: { 'wallets.list': buildPage(...wallets), 'wallets.entries': buildPage() },
  })

test('a client’s page lists only that client’s wallets, without the client’s name', async () => {
  const { server } = await open(wallet(), wallet({ id: 'wal_jpy', currency: 'JPY', available: '98765', held: '0' }))
  const table = within(await seen('table', 'Wallets'))
  expect(table.getByText('98,765', { exact: false })).toBeDefined()
  expect(table.queryByText('Ana Lima')).toBeNull()
  expect(server.of('wallets.list')[0]?.query.traderId).toBe('trd_1')
})

test('a wallet opens with its available and held money and its movements', async () => {
  const { server } = await open(wallet({ held: '50.00' }))
  await press(await seen('row', /^EUR/))
  const drawer = within(await seen('dialog', 'EUR wallet'))
  expect(drawer.getByText('50.00', { exact: false })).toBeDefined()
  expect(await drawer.findByText('No movements yet')).toBeDefined()
  expect(server.of('wallets.entries')[0]?.params).toEqual({ id: 'wal_eur' })
})

test('the page of a client without a wallet says what opens one', async () => {
  await open()
  expect(await screen.findByText('The first settled deposit in a currency opens one.')).toBeDefined()
})
