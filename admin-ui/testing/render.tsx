import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import '../lib/screen/click-guard.ts'
import '../lib/screen/dialog-keys.ts'
import { MOST_SHOWN } from '../lib/api/notify.tsx'
import { createQueryClient } from '../lib/api/query-client.ts'
import { meQuery, type Role } from '../lib/api/session.ts'
import { parseSearch, stringifySearch, textSearch } from '../lib/lists/search-params.ts'
import { consoleTheme, consoleVariables, DEFAULT_ACCENT } from '../theme.ts'
import { type Answers, buildPage, FakeServer } from './answers.ts'
import { DESKTOP, resizeTo } from './dom.ts'
import { atEnd } from './ends.ts'
import { colleague, meAs } from './samples.ts'

export { act, screen, waitFor, within } from '@testing-library/react'

type Setting = {
  /** The server of this test gives these answers; any other request fails the test. */
  answers?: Answers
  /** `at` is the address of the page without /admin; `route` is its pattern if the address has a parameter. */
  at?: string
  route?: string
  role?: Role
  width?: number
  /** This is called when an answer says that the session has ended. */
  onSignedOut?: () => void
}

/** These operations are read by nearly every page besides its own. */
const COMMON_ANSWERS: Answers = {
  'savedViews.list': { data: [], nextCursor: null, keeps: [] },
  'users.list': buildPage(
    colleague({ id: 'usr_me', displayName: 'Elena Rossi' }),
    colleague({ id: 'usr_marco', displayName: 'Marco Bianchi' }),
  ),
}

const createTestRouter = (element: ReactNode, { at = '/', route = '/' }: Setting) => {
  const root = createRootRoute({ component: Outlet, validateSearch: textSearch })
  const page = createRoute({ getParentRoute: () => root, path: route, component: () => element })
  const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => <p>another page</p> })
  return createRouter({
    routeTree: root.addChildren(route === '$' ? [page] : [page, elsewhere]),
    basepath: '/admin',
    history: createMemoryHistory({ initialEntries: [`/admin${at}`] }),
    parseSearch,
    stringifySearch,
    defaultPendingMinMs: 0,
  })
}

/** Draws a part of the console with the console's own theme, router, cache and calls; only the server is fake. */
export const renderPage = async (element: ReactNode, setting: Setting = {}) => {
  const server = new FakeServer({ ...COMMON_ANSWERS, ...setting.answers })
  resizeTo(setting.width ?? DESKTOP)
  const client = createQueryClient(() => setting.onSignedOut?.())
  const usual = client.getDefaultOptions()
  client.setDefaultOptions({ ...usual, queries: { ...usual.queries, retryDelay: 0 } })
  client.setQueryData(meQuery.queryKey, meAs(setting.role ?? 'manager'))
  const router = createTestRouter(element, setting)
  const drawn = render(
    <QueryClientProvider client={client}>
      <MantineProvider theme={consoleTheme(DEFAULT_ACCENT)} cssVariablesResolver={consoleVariables} env="test">
        <Notifications autoClose={false} transitionDuration={0} limit={MOST_SHOWN} />
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  atEnd(() => {
    drawn.unmount()
    notifications.clean()
    client.clear()
    server.close()
    if (server.strange.length > 0) throw new Error(`asked without an answer in this test: ${server.strange.join(', ')}`)
  })
  await waitFor(() => {
    if (router.state.status !== 'idle' || router.state.matches.length === 0) throw new Error('the page is not drawn')
  })
  return {
    server,
    client,
    router,
    /** Returns the address without /admin. */
    address: () => router.state.location.href.replace(/^\/admin/, ''),
  }
}

// The console takes quick presses at one place for a double click and ignores the second; so each press has its own
// place.
let place = 0
const elsewhere = () => {
  place += 100
  return { clientX: place, clientY: place }
}
// Without a layout it cannot be known whether one element covers another.
const user = () => userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })

/** Presses an element with the pointer, with a key held if one is named: `press(button, 'Shift')`. */
export const press = async (target: Element, held?: 'Shift'): Promise<void> => {
  const keys = held ? `{${held}>}` : ''
  const by = user()
  if (keys) await by.keyboard(keys)
  await by.pointer({ keys: '[MouseLeft]', target, coords: elsewhere() })
  if (held) await by.keyboard(`{/${held}}`)
}

/** Presses keys at the focus, `keys('{ArrowDown}x')`; in a text field this types. */
export const keys = (text: string): Promise<void> => user().keyboard(text)

/** Replaces the text of a field. */
export const fill = async (field: HTMLElement, text: string): Promise<void> => {
  const by = user()
  await by.clear(field)
  if (text !== '') await by.type(field, text, { skipClick: false })
}

/** Chooses a file. It does not click first: a second click at that place would count as part of a double click. */
export const upload = async (field: HTMLElement, file: File): Promise<void> => {
  fireEvent.change(field, { target: { files: [file] } })
  await act(async () => undefined)
}

/** Waits for the element with a role and a name. */
export const seen = (role: string, name: string | RegExp): Promise<HTMLElement> => screen.findByRole(role, { name })

/** Presses the button of that name as soon as it exists. */
export const pressButton = async (name: string | RegExp): Promise<void> => press(await seen('button', name))
