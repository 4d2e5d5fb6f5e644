import { lazyRouteComponent } from '@tanstack/react-router'
import { loadPage, page } from './route-frame.tsx'

/** Lists the pages of the daily work; router.tsx lists the others. */
export const workPages = [
  page(
    '/withdrawals',
    lazyRouteComponent(
      () => loadPage(() => import('./features/books/withdrawals/withdrawal-list.tsx')),
      'WithdrawalList',
    ),
  ),
  page(
    '/withdrawals/$id',
    lazyRouteComponent(
      () => loadPage(() => import('./features/books/withdrawals/withdrawal-page.tsx')),
      'WithdrawalPage',
    ),
  ),
  page(
    '/transfers',
    lazyRouteComponent(() => loadPage(() => import('./features/books/transfers/transfer-list.tsx')), 'TransferList'),
  ),
  page(
    '/adjustments',
    lazyRouteComponent(
      () => loadPage(() => import('./features/books/adjustments/adjustment-list.tsx')),
      'AdjustmentList',
    ),
    'manager',
  ),
  page(
    '/rates',
    lazyRouteComponent(() => loadPage(() => import('./features/books/fx/rate-list.tsx')), 'RateList'),
  ),
  page(
    '/kyc',
    lazyRouteComponent(() => loadPage(() => import('./features/clients/kyc/kyc-list.tsx')), 'KycList'),
  ),
  page(
    '/kyc/$id',
    lazyRouteComponent(() => loadPage(() => import('./features/clients/kyc/kyc-page.tsx')), 'KycPage'),
  ),
  page(
    '/sanctions',
    lazyRouteComponent(() => loadPage(() => import('./features/clients/sanctions/hit-list.tsx')), 'SanctionsPage'),
    'manager',
  ),
  page(
    '/leads',
    lazyRouteComponent(() => loadPage(() => import('./features/growth/leads/lead-list.tsx')), 'LeadList'),
  ),
  page(
    '/affiliates',
    lazyRouteComponent(
      () => loadPage(() => import('./features/growth/affiliates/affiliates-page.tsx')),
      'AffiliatesPage',
    ),
  ),
  page(
    '/affiliates/$id',
    lazyRouteComponent(
      () => loadPage(() => import('./features/growth/affiliates/affiliate-page.tsx')),
      'AffiliatePage',
    ),
  ),
  page(
    '/ads',
    lazyRouteComponent(() => loadPage(() => import('./features/growth/ads/connection-list.tsx')), 'ConnectionList'),
    'manager',
  ),
  page(
    '/ads/$id',
    lazyRouteComponent(() => loadPage(() => import('./features/growth/ads/connection-page.tsx')), 'ConnectionPage'),
    'manager',
  ),
  page(
    '/support',
    lazyRouteComponent(() => loadPage(() => import('./features/clients/support/ticket-list.tsx')), 'TicketList'),
  ),
  page(
    '/support/$id',
    lazyRouteComponent(() => loadPage(() => import('./features/clients/support/ticket-page.tsx')), 'TicketPage'),
  ),
  page(
    '/positions',
    lazyRouteComponent(() => loadPage(() => import('./features/books/positions/position-list.tsx')), 'PositionList'),
  ),
  page(
    '/reports',
    lazyRouteComponent(() => loadPage(() => import('./features/overview/reports/reports-page.tsx')), 'ReportsPage'),
    'manager',
  ),
  page(
    '/sql',
    lazyRouteComponent(() => loadPage(() => import('./features/overview/sandbox/sql-page.tsx')), 'SqlPage'),
    'owner',
  ),
  page(
    '/views',
    lazyRouteComponent(() => loadPage(() => import('./features/overview/client-view/view-list.tsx')), 'ViewList'),
    'owner',
  ),
  page(
    '/traders/import',
    lazyRouteComponent(() => loadPage(() => import('./features/overview/imports/import-list.tsx')), 'ImportList'),
    'manager',
  ),
  page(
    '/traders/import/$id',
    lazyRouteComponent(() => loadPage(() => import('./features/overview/imports/import-page.tsx')), 'ImportPage'),
    'manager',
  ),
  page(
    '/merge',
    lazyRouteComponent(() => loadPage(() => import('./features/overview/merge/merge-page.tsx')), 'MergePage'),
    'manager',
  ),
] as const
