import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { renderPage, seen, within } from '../../../testing/render.tsx'
import type { Affiliate } from './affiliates.api.ts'
import { AffiliatesPage } from './affiliates-page.tsx'

const affiliate = (id: string, with_: Partial<Affiliate>): Affiliate => ({
  id,
  traderId: null,
  name: id,
  code: id,
  parentId: null,
  planId: null,
  status: 'active',
  version: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  clients: 0,
  balances: [],
  ...with_,
})
const balance = (currency: string, earned: string, paid: string) => ({
  currency,
  earned,
  paid,
  asked: '0.00',
  available: '0.00',
})

test('the list of affiliates has clients, what was earned, and what is owed in each currency', async () => {
  const balances = [balance('EUR', '1250.00', '1000.00'), balance('USD', '10.00', '0.00')]
  await renderPage(<AffiliatesPage />, {
    at: '/affiliates',
    route: '/affiliates',
    answers: {
      'affiliates.list': buildPage(
        affiliate('North', { clients: 1200, balances }),
        affiliate('West', { balances: null }),
      ),
    },
  })
  const rows = within(await seen('table', 'Affiliates'))
    .getAllByRole('row')
    .slice(1)
  const figures = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .slice(3, 6)
      .map(({ textContent }) => textContent),
  )
  expect(figures).toEqual([
    ['1,200', '1,250.00 EUR10.00 USD', '250.00 EUR10.00 USD'],
    ['0', '—', '—'],
  ])
})
