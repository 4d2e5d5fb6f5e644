import { Tabs } from '@mantine/core'
import { Page } from '../../components/page.tsx'
import { useSearchParams } from '../../lib/search-params.ts'
import { useCan } from '../../lib/session.ts'
import { Connections } from './connections.tsx'
import { Exceptions } from './exceptions.tsx'

/** Payment services: their connections, for administrators, and what they said that contradicts the books. */
export const GatewaysPage = () => {
  const can = useCan()
  const [search, setSearch] = useSearchParams()
  const admin = can('admin')
  const tab = search.tab === 'exceptions' || !admin ? 'exceptions' : 'connections'
  return (
    <Page title="Gateways" subtitle="Payment services that report what became of a deposit.">
      <Tabs
        value={tab}
        onChange={(next) =>
          setSearch({ tab: next === 'exceptions' ? next : undefined, status: undefined, state: undefined })
        }
        keepMounted={false}
        className="tabs"
      >
        <Tabs.List mb="md">
          {admin && <Tabs.Tab value="connections">Connections</Tabs.Tab>}
          <Tabs.Tab value="exceptions">Exceptions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="connections">{admin && <Connections />}</Tabs.Panel>
        <Tabs.Panel value="exceptions">
          <Exceptions />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
