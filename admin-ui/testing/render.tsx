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
  /** What the server of this test answers; anything else that is asked fails the test. */
  answers?: Answers
  /** Where the page is, without /admin, and the pattern of its address where that has a parameter. */
  at?: string
  route?: string
  role?: Role
  width?: number
  /** Called when an answer says that the session is gone. */
  onSignedOut?: () => void
}

/** What nearly every page asks beside its own matter. */
const HOUSE: Answers = {
  'savedViews.list': { ...buildPage(), keeps: [] },
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

/** Draws a part of the console as the console does: its theme, router, cache and calls; only the server is made up. */
export const renderPage = async (element: ReactNode, setting: Setting = {}) => {
  const server = new FakeServer({ ...HOUSE, ...setting.answers })
  resizeTo(setting.width ?? DESKTOP)
  const client = createQueryClient(() => setting.onSignedOut?.())
  const usual = client.getDefaultOptions()
  client.setDefaultOptions({ ...usual, queries: { ...usual.queries, retryDelay: 0 } })
  client.setQueryData(meQuery.queryKey, meAs(setting.role ?? 'manager'))
  const router = createTestRouter(element, setting)
  const drawn = render(
    <QueryClientProvider client={client}>
      <MantineProvider theme={consoleTheme(DEFAULT_ACCENT)} cssVariablesResolver={consoleVariables} env="test">
        <Notifications autoClose={false} transitionDuration={0} />
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
    /** The address, without /admin. */
    address: () => router.state.location.href.replace(/^\/admin/, ''),
  }
}

// Several presses at one place within a moment are a double click to the console, whose second one a dialog swallows.
let place = 0
const elsewhere = () => {
  place += 100
  return { clientX: place, clientY: place }
}
// What lies on what cannot be told without a layout.
const user = () => userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })

/** Presses a thing with the pointer, with a key held if named: `press(button, 'Shift')`. */
export const press = async (target: Element, held?: 'Shift'): Promise<void> => {
  const keys = held ? `{${held}>}` : ''
  const by = user()
  if (keys) await by.keyboard(keys)
  await by.pointer({ keys: '[MouseLeft]', target, coords: elsewhere() })
  if (held) await by.keyboard(`{/${held}}`)
}

/** Presses keys where the focus is: `keys('{ArrowDown}x')`; of a text field it types. */
export const keys = (text: string): Promise<void> => user().keyboard(text)

/** Takes what stands in a field away and types the text. */
export const fill = async (field: HTMLElement, text: string): Promise<void> => {
  const by = user()
  await by.clear(field)
  if (text !== '') await by.type(field, text, { skipClick: false })
}

/** Chooses a file. No click comes before it: a second one at its place would be the second half of a double click. */
export const upload = async (field: HTMLElement, file: File): Promise<void> => {
  fireEvent.change(field, { target: { files: [file] } })
  await act(async () => undefined)
}

/** A thing by what it is and is called, as soon as it is there. */
export const seen = (role: string, name: string | RegExp): Promise<HTMLElement> => screen.findByRole(role, { name })

/** Presses the button of that name as soon as it is there. */
export const pressButton = async (name: string | RegExp): Promise<void> => press(await seen('button', name))
