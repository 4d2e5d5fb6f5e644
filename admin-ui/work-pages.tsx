import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from './route-frame.tsx'

/** Lists the pages of the daily work; router.tsx lists the others. */
export const workPages = [
  page(
    '/withdrawals',
    lazyRouteComponent(() => import('./features/books/withdrawals/withdrawal-list.tsx'), 'WithdrawalList'),
  ),
  page(
    '/withdrawals/$id',
    lazyRouteComponent(() => import('./features/books/withdrawals/withdrawal-page.tsx'), 'WithdrawalPage'),
  ),
  page(
    '/transfers',
    lazyRouteComponent(() => import('./features/books/transfers/transfer-list.tsx'), 'TransferList'),
  ),
  page(
    '/adjustments',
    lazyRouteComponent(() => import('./features/books/adjustments/adjustment-list.tsx'), 'AdjustmentList'),
    'manager',
  ),
  page(
    '/rates',
    lazyRouteComponent(() => import('./features/books/fx/rate-list.tsx'), 'RateList'),
  ),
  page(
    '/kyc',
    lazyRouteComponent(() => import('./features/clients/kyc/kyc-list.tsx'), 'KycList'),
  ),
  page(
    '/kyc/$id',
    lazyRouteComponent(() => import('./features/clients/kyc/kyc-page.tsx'), 'KycPage'),
  ),
  page(
    '/sanctions',
    lazyRouteComponent(() => import('./features/clients/sanctions/hit-list.tsx'), 'SanctionsPage'),
    'manager',
  ),
  page(
    '/leads',
    lazyRouteComponent(() => import('./features/growth/leads/lead-list.tsx'), 'LeadList'),
  ),
  page(
    '/affiliates',
    lazyRouteComponent(() => import('./features/growth/affiliates/affiliates-page.tsx'), 'AffiliatesPage'),
  ),
  page(
    '/affiliates/$id',
    lazyRouteComponent(() => import('./features/growth/affiliates/affiliate-page.tsx'), 'AffiliatePage'),
  ),
  page(
    '/ads',
    lazyRouteComponent(() => import('./features/growth/ads/connection-list.tsx'), 'ConnectionList'),
    'manager',
  ),
  page(
    '/ads/$id',
    lazyRouteComponent(() => import('./features/growth/ads/connection-page.tsx'), 'ConnectionPage'),
    'manager',
  ),
  page(
    '/support',
    lazyRouteComponent(() => import('./features/clients/support/ticket-list.tsx'), 'TicketList'),
  ),
  page(
    '/support/$id',
    lazyRouteComponent(() => import('./features/clients/support/ticket-page.tsx'), 'TicketPage'),
  ),
  page(
    '/positions',
    lazyRouteComponent(() => import('./features/books/positions/position-list.tsx'), 'PositionList'),
  ),
  page(
    '/reports',
    lazyRouteComponent(() => import('./features/overview/reports/reports-page.tsx'), 'ReportsPage'),
    'manager',
  ),
  page(
    '/sql',
    lazyRouteComponent(() => import('./features/overview/sandbox/sql-page.tsx'), 'SqlPage'),
    'owner',
  ),
  page(
    '/views',
    lazyRouteComponent(() => import('./features/overview/client-view/view-list.tsx'), 'ViewList'),
    'owner',
  ),
  page(
    '/traders/import',
    lazyRouteComponent(() => import('./features/overview/imports/import-list.tsx'), 'ImportList'),
    'manager',
  ),
  page(
    '/traders/import/$id',
    lazyRouteComponent(() => import('./features/overview/imports/import-page.tsx'), 'ImportPage'),
    'manager',
  ),
  page(
    '/merge',
    lazyRouteComponent(() => import('./features/overview/merge/merge-page.tsx'), 'MergePage'),
    'manager',
  ),
] as const
