import { Page } from '../../../components/page/page.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { Connections } from './connections.tsx'
import { Exceptions } from './exceptions.tsx'
import { say } from './words.ts'

const TABS = [
  ['connections', say('gateways.connections'), 'admin'],
  ['exceptions', say('gateways.exceptions'), 'manager'],
] as const

/** Shows a tab of gateways to administrators, and a tab of messages that contradict the books. */
export const GatewaysPage = () => {
  const can = useCan()
  const shown = TABS.filter(([, , least]) => can(least))
  return (
    <Page title={say('gateways.gateways')} subtitle={say('gateways.about')}>
      <PageTabs
        tabs={shown}
        first={can('admin') ? 'connections' : 'exceptions'}
        panels={{ connections: <Connections />, exceptions: <Exceptions /> }}
      />
    </Page>
  )
}
