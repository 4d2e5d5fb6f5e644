import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Page } from '../../../components/page/page.tsx'
import { FindingTable } from '../records/finding-table.tsx'
import { fetchServers } from './servers.api.ts'
import { say } from './words.ts'

/** Lists what does not fit between the trading servers and the books. */
export const FindingsPage = () => {
  const { data } = useQuery({ queryKey: ['platforms', 'names'], queryFn: () => fetchServers({ limit: 100 }) })
  const servers = useMemo(() => data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [], [data])
  return (
    <Page title={say('terminals.finding.title')} subtitle={say('terminals.finding.subtitle')}>
      <FindingTable servers={servers} />
    </Page>
  )
}
