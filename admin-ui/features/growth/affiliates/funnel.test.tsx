import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { FunnelPanel } from './funnel.tsx'

const counts = { clicks: 400, registrations: 200, kycApproved: 119, firstDeposits: 140, approvedWithDeposit: 90 }

test('each step of the funnel shows its share of the step before, and a note counts clients outside', async () => {
  await renderPage(<FunnelPanel />, {
    answers: {
      'affiliates.funnel': {
        from: '2026-08-22T00:00:00.000Z',
        to: '2026-11-20T00:00:00.000Z',
        ...counts,
        byAffiliate: [{ affiliateId: 'aff_1', code: 'ANA', ...counts }],
      },
      'affiliates.list': buildPage(),
      'affiliates.get': blank('affiliates.get'),
    },
  })
  const table = await seen('table', 'From click to first deposit')
  expect([...document.querySelectorAll('.funnel .stat')].map(({ textContent }) => textContent)).toEqual([
    'Clicks400',
    'Registered20050% of those before',
    'Identity checked11960% of those before',
    'Checked and deposited9076% of those before',
  ])
  expect(screen.getByText('50 more clients made a first deposit without an identity check.')).toBeDefined()
  const figures = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)
  expect(figures.slice(1)).toEqual(['400', '200', '119', '90', '140'])
})
