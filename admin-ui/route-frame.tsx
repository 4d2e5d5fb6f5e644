import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  type lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Shell } from './features/box/shell/shell.tsx'
import { ApiError, isApiError } from './lib/api/http.ts'
import { atLeast, meQuery, type Role } from './lib/api/session.ts'
import { currentView, leaveView } from './lib/api/viewed-person.ts'
import { textSearch } from './lib/lists/search-params.ts'
import { say } from './lib/text/words.ts'

/** What every route may use. */
type Context = { client: QueryClient }

/** The tree's root: it draws nothing of its own. */
export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  validateSearch: textSearch,
})

/** Everything behind sign-in. Without a session it goes to sign-in and remembers where the reader wanted to be. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(meQuery)
    } catch (error) {
      if (!isApiError(error, 401)) throw error
      if (currentView()) return leaveView()
      const next = location.href === '/' ? {} : { next: location.href }
      throw redirect({ to: '/sign-in', search: next, replace: true })
    }
  },
  component: Shell,
})

/**
 * A page behind sign-in, for staff of at least that role. The
 * server refuses the data anyway; this says so before asking.
 */
export const page = <P extends string>(
  path: P,
  component: ReturnType<typeof lazyRouteComponent>,
  least: Role = 'viewer',
) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    component,
    // Another record's page starts anew: a draft or an open form of one client must not be there for the next.
    remountDeps: ({ params }) => params,
    beforeLoad: async ({ context }) => {
      const { role } = await context.client.ensureQueryData(meQuery)
      if (!atLeast(role, least)) throw new ApiError({ status: 403, title: say('parts.page.forbidden') })
    },
  })

/** A page that needs no session. */
export const open = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })
