import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorState } from './components/page/error-state.tsx'
import { NotFound } from './components/page/not-found.tsx'
import { PageLoader } from './components/page/page-loader.tsx'
import { parseSearch, stringifySearch } from './lib/lists/search-params.ts'
import { lazyPage, open, page, root, signedIn } from './route-frame.tsx'
import { workPages } from './work-pages.tsx'

const routes = root.addChildren([
  open(
    '/sign-in',
    lazyPage(() => import('./features/firm/auth/sign-in.tsx'), 'SignIn'),
  ),
  open(
    '/forgot',
    lazyPage(() => import('./features/firm/auth/forgot.tsx'), 'Forgot'),
  ),
  open(
    '/reset',
    lazyPage(() => import('./features/firm/auth/reset.tsx'), 'Reset'),
  ),
  open(
    '/accept-invite',
    lazyPage(() => import('./features/firm/auth/accept-invite.tsx'), 'AcceptInvite'),
  ),
  open(
    '/account-passwords',
    lazyPage(() => import('./features/terminals/accounts/passwords-page.tsx'), 'PasswordsPage'),
  ),
  open(
    '/setup',
    lazyPage(() => import('./features/firm/auth/setup.tsx'), 'Setup'),
  ),
  signedIn.addChildren([
    page(
      '/traders',
      lazyPage(() => import('./features/clients/traders/trader-list.tsx'), 'TraderList'),
    ),
    page(
      '/traders/$id',
      lazyPage(() => import('./features/overview/client-record/client-page.tsx'), 'ClientPage'),
    ),
    page(
      '/deposits',
      lazyPage(() => import('./features/books/deposits/deposit-list.tsx'), 'DepositList'),
    ),
    page(
      '/deposits/$id',
      lazyPage(() => import('./features/books/deposits/deposit-page.tsx'), 'DepositPage'),
    ),
    page(
      '/accounts',
      lazyPage(() => import('./features/books/accounts/account-list.tsx'), 'AccountList'),
    ),
    page(
      '/wallets',
      lazyPage(() => import('./features/books/wallets/wallet-list.tsx'), 'WalletList'),
    ),
    page(
      '/ledger',
      lazyPage(() => import('./features/books/wallets/ledger-page.tsx'), 'LedgerPage'),
      'manager',
    ),
    page(
      '/api-keys',
      lazyPage(() => import('./features/firm/api-keys/key-list.tsx'), 'KeyList'),
      'admin',
    ),
    page(
      '/webhooks',
      lazyPage(() => import('./features/firm/webhooks/subscription-list.tsx'), 'SubscriptionList'),
      'admin',
    ),
    page(
      '/webhooks/$id/deliveries',
      lazyPage(() => import('./features/firm/webhooks/subscription-page.tsx'), 'SubscriptionPage'),
      'admin',
    ),
    page(
      '/webhooks/deliveries/$id',
      lazyPage(() => import('./features/firm/webhooks/delivery-page.tsx'), 'DeliveryPage'),
      'admin',
    ),
    page(
      '/users',
      lazyPage(() => import('./features/firm/staff/user-list.tsx'), 'UserList'),
    ),
    page(
      '/settings',
      lazyPage(() => import('./features/overview/settings-page/settings-page.tsx'), 'SettingsPage'),
      'admin',
    ),
    page(
      '/gateways',
      lazyPage(() => import('./features/books/gateways/gateways-page.tsx'), 'GatewaysPage'),
      'manager',
    ),
    page(
      '/audit',
      lazyPage(() => import('./features/clients/audit/audit-list.tsx'), 'AuditList'),
      'manager',
    ),
    page(
      '/tenants',
      lazyPage(() => import('./features/firm/tenants/tenant-list.tsx'), 'TenantList'),
      'platform_admin',
    ),
    page(
      '/system',
      lazyPage(() => import('./features/box/system/system-page.tsx'), 'SystemPage'),
      'platform_admin',
    ),
    page(
      '/recovery-key',
      lazyPage(() => import('./features/box/system/recovery-key-page.tsx'), 'RecoveryKeyPage'),
      'platform_admin',
    ),
    page(
      '/kept-records',
      lazyPage(() => import('./features/overview/privacy/kept-records.tsx'), 'KeptRecords'),
      'owner',
    ),
    page(
      '/mail',
      lazyPage(() => import('./features/base/mail/mail-list.tsx'), 'MailList'),
      'admin',
    ),
    page(
      '/',
      lazyPage(() => import('./features/overview/dashboard/dashboard.tsx'), 'Dashboard'),
    ),
    page(
      '/security',
      lazyPage(() => import('./features/firm/security/security.tsx'), 'Security'),
    ),
    ...workPages,
    page(
      '$',
      lazyPage(() => import('./components/page/not-found.tsx'), 'NotFound'),
    ),
  ]),
])

/** Shows why a page cannot be shown; trying again also loads its code again. */
const PageError = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  const retry = async (): Promise<void> => {
    await router.invalidate()
    reset()
  }
  return <ErrorState error={error} retry={() => void retry()} />
}

/** Creates the console's router: it has every path under /admin, and loads the code of a page when it is needed. */
export const createConsoleRouter = (client: QueryClient) =>
  createRouter({
    routeTree: routes,
    basepath: '/admin',
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
    defaultPendingComponent: PageLoader,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
  })

/** With this type a link to an address that no page has does not compile. */
declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
