import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { InstructionTable } from '../accounts/instruction-table.tsx'
import { fetchServers } from './servers.api.ts'
import { say } from './words.ts'

/** Lists what was asked of all trading servers. */
export const InstructionsPage = () => {
  const can = useCan()
  const { data } = useQuery({
    queryKey: ['platforms', 'names'],
    queryFn: () => fetchServers({ limit: 100 }),
    enabled: can('operator'),
  })
  const servers = useMemo(() => data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [], [data])
  return (
    <Page title={say('terminals.order.page_title')} subtitle={say('terminals.order.subtitle')}>
      <InstructionTable servers={servers} />
    </Page>
  )
}
