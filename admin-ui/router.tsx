import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ErrorState } from './components/error-state.tsx'
import { NotFound } from './components/not-found.tsx'
import { PageLoader } from './components/page-loader.tsx'
import { Shell } from './features/shell/shell.tsx'
import { ApiError, isApiError } from './lib/http.ts'
import { parseSearch, stringifySearch, textSearch } from './lib/search-params.ts'
import { atLeast, meQuery, type Role } from './lib/session.ts'

type Context = { client: QueryClient }

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  validateSearch: textSearch,
})

/** Everything behind sign-in. Without a session it goes to sign-in and remembers where the reader wanted to be. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(meQuery)
    } catch (error) {
      if (!isApiError(error, 401)) throw error
      const next = location.href === '/' ? {} : { next: location.href }
      throw redirect({ to: '/sign-in', search: next, replace: true })
    }
  },
  component: Shell,
})

/** A page behind sign-in, for staff of at least that role. The server refuses the data anyway; this says so before asking. */
const page = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>, least: Role = 'viewer') =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    component,
    beforeLoad: async ({ context }) => {
      const { role } = await context.client.ensureQueryData(meQuery)
      if (!atLeast(role, least)) throw new ApiError({ status: 403, title: 'This page is not for your role' })
    },
  })

const open = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })

const routes = root.addChildren([
  open(
    '/sign-in',
    lazyRouteComponent(() => import('./features/auth/sign-in.tsx'), 'SignIn'),
  ),
  open(
    '/forgot',
    lazyRouteComponent(() => import('./features/auth/forgot.tsx'), 'Forgot'),
  ),
  open(
    '/reset',
    lazyRouteComponent(() => import('./features/auth/reset.tsx'), 'Reset'),
  ),
  open(
    '/accept-invite',
    lazyRouteComponent(() => import('./features/auth/accept-invite.tsx'), 'AcceptInvite'),
  ),
  open(
    '/setup',
    lazyRouteComponent(() => import('./features/auth/setup.tsx'), 'Setup'),
  ),
  signedIn.addChildren([
    page(
      '/traders',
      lazyRouteComponent(() => import('./features/traders/trader-list.tsx'), 'TraderList'),
    ),
    page(
      '/traders/$id',
      lazyRouteComponent(() => import('./features/traders/trader-page.tsx'), 'TraderPage'),
    ),
    page(
      '/deposits',
      lazyRouteComponent(() => import('./features/deposits/deposit-list.tsx'), 'DepositList'),
    ),
    page(
      '/deposits/$id',
      lazyRouteComponent(() => import('./features/deposits/deposit-page.tsx'), 'DepositPage'),
    ),
    page(
      '/accounts',
      lazyRouteComponent(() => import('./features/accounts/account-list.tsx'), 'AccountList'),
    ),
    page(
      '/wallets',
      lazyRouteComponent(() => import('./features/wallets/wallet-list.tsx'), 'WalletList'),
    ),
    page(
      '/ledger',
      lazyRouteComponent(() => import('./features/wallets/ledger-page.tsx'), 'LedgerPage'),
      'manager',
    ),
    page(
      '/api-keys',
      lazyRouteComponent(() => import('./features/api-keys/key-list.tsx'), 'KeyList'),
      'admin',
    ),
    page(
      '/webhooks',
      lazyRouteComponent(() => import('./features/webhooks/subscription-list.tsx'), 'SubscriptionList'),
      'admin',
    ),
    page(
      '/webhooks/$id/deliveries',
      lazyRouteComponent(() => import('./features/webhooks/subscription-page.tsx'), 'SubscriptionPage'),
      'admin',
    ),
    page(
      '/webhooks/deliveries/$id',
      lazyRouteComponent(() => import('./features/webhooks/delivery-page.tsx'), 'DeliveryPage'),
      'admin',
    ),
    page(
      '/users',
      lazyRouteComponent(() => import('./features/users/user-list.tsx'), 'UserList'),
    ),
    page(
      '/settings',
      lazyRouteComponent(() => import('./features/settings/settings-page.tsx'), 'SettingsPage'),
      'admin',
    ),
    page(
      '/gateways',
      lazyRouteComponent(() => import('./features/gateways/gateway-list.tsx'), 'GatewayList'),
      'admin',
    ),
    page(
      '/audit',
      lazyRouteComponent(() => import('./features/audit/audit-list.tsx'), 'AuditList'),
      'manager',
    ),
    page(
      '/tenants',
      lazyRouteComponent(() => import('./features/tenants/tenant-list.tsx'), 'TenantList'),
      'platform_admin',
    ),
    page(
      '/mail',
      lazyRouteComponent(() => import('./features/mail/mail-list.tsx'), 'MailList'),
      'admin',
    ),
    page(
      '/',
      lazyRouteComponent(() => import('./features/dashboard/dashboard.tsx'), 'Dashboard'),
    ),
    page(
      '/security',
      lazyRouteComponent(() => import('./features/security/security.tsx'), 'Security'),
    ),
    createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound }),
  ]),
])

/** The console's router: every path under /admin, pages loaded when first opened. */
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
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
    defaultNotFoundComponent: NotFound,
  })
