import { Page } from '../../components/page.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { useCan } from '../../lib/session.ts'
import { Connections } from './connections.tsx'
import { Exceptions } from './exceptions.tsx'

const TABS = [
  ['connections', 'Connections', 'admin'],
  ['exceptions', 'Exceptions', 'manager'],
] as const

/** Payment services: their connections, for administrators, and what they said that contradicts the books. */
export const GatewaysPage = () => {
  const can = useCan()
  const shown = TABS.filter(([, , least]) => can(least))
  return (
    <Page title="Gateways" subtitle="Payment services that report what became of a deposit.">
      <PageTabs
        tabs={shown}
        first={can('admin') ? 'connections' : 'exceptions'}
        panels={{ connections: <Connections />, exceptions: <Exceptions /> }}
      />
    </Page>
  )
}
