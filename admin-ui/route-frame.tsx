import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Shell } from './features/box/shell/shell.tsx'
import { ApiError, isApiError, UNREACHABLE } from './lib/api/http.ts'
import { serverAnswers } from './lib/api/server-back.ts'
import { atLeast, meQuery, type Role } from './lib/api/session.ts'
import { currentView, leaveView } from './lib/api/viewed-person.ts'
import { textSearch } from './lib/lists/search-params.ts'
import { say } from './lib/text/words.ts'

type Context = { client: QueryClient }

/** The root of the route tree draws nothing but its child. */
export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  validateSearch: textSearch,
})

/** Wraps every page behind sign-in. Without a session it redirects to sign-in and keeps the address for afterwards. */
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
 * Makes a page behind sign-in for staff with at least the role `least`. The server refuses the data to others anyway;
 * this check refuses before any request.
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
    // The page of another record is mounted anew: a draft or open form of one client must not stay for the next.
    remountDeps: ({ params }) => params,
    beforeLoad: async ({ context }) => {
      const { role } = await context.client.ensureQueryData(meQuery)
      if (!atLeast(role, least)) throw new ApiError({ status: 403, title: say('parts.page.forbidden') })
    },
  })

/**
 * Returns the component `name` of a file that is loaded when its page is opened. If loading fails and the server does
 * not answer, the page shows an error with a retry; the router alone would reload the whole console and end on the
 * browser's own error page. If the server answers, its files are newer, and reloading is right.
 */
export const lazyPage = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  lazyRouteComponent<Record<K, ComponentType>, K>(
    () =>
      load().catch(async (cause: unknown) => {
        throw (await serverAnswers()) ? cause : new ApiError({ status: 0, title: UNREACHABLE })
      }),
    name,
  )

/** Makes a page that needs no session. */
export const open = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })
