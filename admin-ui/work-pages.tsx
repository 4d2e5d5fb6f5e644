import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from './route-frame.tsx'

/** The pages of the daily work: money out, papers, people. */
export const workPages = [
  page(
    '/withdrawals',
    lazyRouteComponent(() => import('./features/withdrawals/withdrawal-list.tsx'), 'WithdrawalList'),
  ),
  page(
    '/withdrawals/$id',
    lazyRouteComponent(() => import('./features/withdrawals/withdrawal-page.tsx'), 'WithdrawalPage'),
  ),
  page(
    '/transfers',
    lazyRouteComponent(() => import('./features/transfers/transfer-list.tsx'), 'TransferList'),
  ),
  page(
    '/adjustments',
    lazyRouteComponent(() => import('./features/adjustments/adjustment-list.tsx'), 'AdjustmentList'),
    'manager',
  ),
  page(
    '/rates',
    lazyRouteComponent(() => import('./features/fx/rate-list.tsx'), 'RateList'),
  ),
  page(
    '/kyc',
    lazyRouteComponent(() => import('./features/kyc/kyc-list.tsx'), 'KycList'),
  ),
  page(
    '/kyc/$id',
    lazyRouteComponent(() => import('./features/kyc/kyc-page.tsx'), 'KycPage'),
  ),
  page(
    '/sanctions',
    lazyRouteComponent(() => import('./features/sanctions/hit-list.tsx'), 'SanctionsPage'),
    'manager',
  ),
  page(
    '/leads',
    lazyRouteComponent(() => import('./features/leads/lead-list.tsx'), 'LeadList'),
  ),
  page(
    '/affiliates',
    lazyRouteComponent(() => import('./features/affiliates/affiliates-page.tsx'), 'AffiliatesPage'),
  ),
  page(
    '/affiliates/$id',
    lazyRouteComponent(() => import('./features/affiliates/affiliate-page.tsx'), 'AffiliatePage'),
  ),
  page(
    '/ads',
    lazyRouteComponent(() => import('./features/ads/connection-list.tsx'), 'ConnectionList'),
    'manager',
  ),
  page(
    '/ads/$id',
    lazyRouteComponent(() => import('./features/ads/connection-page.tsx'), 'ConnectionPage'),
    'manager',
  ),
  page(
    '/support',
    lazyRouteComponent(() => import('./features/support/ticket-list.tsx'), 'TicketList'),
  ),
  page(
    '/support/$id',
    lazyRouteComponent(() => import('./features/support/ticket-page.tsx'), 'TicketPage'),
  ),
  page(
    '/positions',
    lazyRouteComponent(() => import('./features/positions/position-list.tsx'), 'PositionList'),
  ),
  page(
    '/reports',
    lazyRouteComponent(() => import('./features/reports/reports-page.tsx'), 'ReportsPage'),
    'manager',
  ),
  page(
    '/sql',
    lazyRouteComponent(() => import('./features/sandbox/sql-page.tsx'), 'SqlPage'),
    'owner',
  ),
  page(
    '/views',
    lazyRouteComponent(() => import('./features/views/view-list.tsx'), 'ViewList'),
    'owner',
  ),
  page(
    '/traders/import',
    lazyRouteComponent(() => import('./features/imports/import-list.tsx'), 'ImportList'),
    'manager',
  ),
  page(
    '/traders/import/$id',
    lazyRouteComponent(() => import('./features/imports/import-page.tsx'), 'ImportPage'),
    'manager',
  ),
  page(
    '/merge',
    lazyRouteComponent(() => import('./features/merge/merge-page.tsx'), 'MergePage'),
    'manager',
  ),
] as const
