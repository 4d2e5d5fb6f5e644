import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './styles.css'
import './components/components.css'
import './components/list.css'
import './components/work.css'
import './features/firm/auth/auth.css'
import './features/overview/dashboard/dashboard.css'
import './features/box/shell/shell.css'
// The print styles come last, because they override all of the above.
import './print.css'
// These two also serve dialogs whose files do not import them.
import './lib/screen/click-guard.ts'
import './lib/screen/dialog-keys.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Appearance } from './appearance.tsx'
import { onLost } from './lib/api/http.ts'
import { createQueryClient } from './lib/api/query-client.ts'
import { watchServer } from './lib/api/server-back.ts'
import { currentView, leaveView } from './lib/api/viewed-person.ts'
import { createConsoleRouter } from './router.tsx'

onLost(() => void watchServer())
const client = createQueryClient(() => {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in') return
  // The view has expired, or the viewer's session has ended: this tab goes back to the viewer's own session.
  if (currentView()) return leaveView()
  client.clear()
  void router.navigate({
    to: '/sign-in',
    search: { next: href },
    replace: true,
  })
})
const router = createConsoleRouter(client)
// The page's code is loaded while the server still tells who is signed in, not afterwards.
for (const route of router.getMatchedRoutes(router.latestLocation.pathname)[0])
  void router.loadRouteChunk(route)?.catch(() => undefined)

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Appearance>
        <RouterProvider router={router} />
      </Appearance>
    </QueryClientProvider>
  </StrictMode>,
)
