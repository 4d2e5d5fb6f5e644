import { lazyPage, page } from './route-frame.tsx'

/** Lists the pages of the daily work; router.tsx lists the others. */
export const workPages = [
  page(
    '/withdrawals',
    lazyPage(() => import('./features/books/withdrawals/withdrawal-list.tsx'), 'WithdrawalList'),
  ),
  page(
    '/withdrawals/$id',
    lazyPage(() => import('./features/books/withdrawals/withdrawal-page.tsx'), 'WithdrawalPage'),
  ),
  page(
    '/transfers',
    lazyPage(() => import('./features/books/transfers/transfer-list.tsx'), 'TransferList'),
  ),
  page(
    '/adjustments',
    lazyPage(() => import('./features/books/adjustments/adjustment-list.tsx'), 'AdjustmentList'),
    'manager',
  ),
  page(
    '/rates',
    lazyPage(() => import('./features/books/fx/rate-list.tsx'), 'RateList'),
  ),
  page(
    '/kyc',
    lazyPage(() => import('./features/clients/kyc/kyc-list.tsx'), 'KycList'),
  ),
  page(
    '/kyc/$id',
    lazyPage(() => import('./features/clients/kyc/kyc-page.tsx'), 'KycPage'),
  ),
  page(
    '/sanctions',
    lazyPage(() => import('./features/clients/sanctions/hit-list.tsx'), 'SanctionsPage'),
    'manager',
  ),
  page(
    '/leads',
    lazyPage(() => import('./features/growth/leads/lead-list.tsx'), 'LeadList'),
  ),
  page(
    '/affiliates',
    lazyPage(() => import('./features/growth/affiliates/affiliates-page.tsx'), 'AffiliatesPage'),
  ),
  page(
    '/affiliates/$id',
    lazyPage(() => import('./features/growth/affiliates/affiliate-page.tsx'), 'AffiliatePage'),
  ),
  page(
    '/ads',
    lazyPage(() => import('./features/growth/ads/connection-list.tsx'), 'ConnectionList'),
    'manager',
  ),
  page(
    '/ads/$id',
    lazyPage(() => import('./features/growth/ads/connection-page.tsx'), 'ConnectionPage'),
    'manager',
  ),
  page(
    '/support',
    lazyPage(() => import('./features/clients/support/ticket-list.tsx'), 'TicketList'),
  ),
  page(
    '/support/$id',
    lazyPage(() => import('./features/clients/support/ticket-page.tsx'), 'TicketPage'),
  ),
  page(
    '/positions',
    lazyPage(() => import('./features/books/positions/position-list.tsx'), 'PositionList'),
  ),
  page(
    '/accounts/$id',
    lazyPage(() => import('./features/terminals/accounts/account-page.tsx'), 'AccountPage'),
  ),
  page(
    '/platforms',
    lazyPage(() => import('./features/terminals/servers/server-list.tsx'), 'ServerList'),
    'operator',
  ),
  page(
    '/platforms/findings',
    lazyPage(() => import('./features/terminals/servers/findings-page.tsx'), 'FindingsPage'),
    'manager',
  ),
  page(
    '/platforms/days',
    lazyPage(() => import('./features/terminals/servers/days-page.tsx'), 'DaysPage'),
    'manager',
  ),
  page(
    '/platforms/instructions',
    lazyPage(() => import('./features/terminals/servers/instructions-page.tsx'), 'InstructionsPage'),
  ),
  page(
    '/platforms/$id',
    lazyPage(() => import('./features/terminals/servers/server-page.tsx'), 'ServerPage'),
    'operator',
  ),
  page(
    '/reports',
    lazyPage(() => import('./features/overview/reports/reports-page.tsx'), 'ReportsPage'),
    'manager',
  ),
  page(
    '/sql',
    lazyPage(() => import('./features/overview/sandbox/sql-page.tsx'), 'SqlPage'),
    'owner',
  ),
  page(
    '/views',
    lazyPage(() => import('./features/overview/client-view/view-list.tsx'), 'ViewList'),
    'owner',
  ),
  page(
    '/traders/import',
    lazyPage(() => import('./features/overview/imports/import-list.tsx'), 'ImportList'),
    'manager',
  ),
  page(
    '/traders/import/$id',
    lazyPage(() => import('./features/overview/imports/import-page.tsx'), 'ImportPage'),
    'manager',
  ),
  page(
    '/merge',
    lazyPage(() => import('./features/overview/merge/merge-page.tsx'), 'MergePage'),
    'manager',
  ),
] as const
