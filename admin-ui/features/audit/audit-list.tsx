import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { orDash } from '../../components/dash.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ExportButton } from '../../components/list-actions.tsx'
import { Page } from '../../components/page.tsx'
import { When } from '../../components/when.tsx'
import type { FilterOf } from '../../lib/filters.ts'
import { formatCount } from '../../lib/format.ts'
import { useCan } from '../../lib/session.ts'
import { type AuditEntry, auditCsv, type Facets, fetchAudit, fetchFacets } from './audit.api.ts'
import { actionText, actorText, changedFields, entityText } from './audit-words.ts'
import { ChangeDrawer } from './change-drawer.tsx'
import { VerifyChain } from './verify-chain.tsx'

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'action', title: 'What', render: ({ action }) => actionText(action) },
  { key: 'actor', title: 'Who', render: actorText },
  {
    key: 'trader',
    title: say('common.client'),
    wide: true,
    card: true,
    render: ({ traderName }) => orDash(traderName),
  },
  { key: 'changed', title: say('audit.changed'), wide: true, render: (entry) => orDash(changedFields(entry)) },
  { key: 'entity', title: 'Record', wide: true, optional: true, render: ({ entity }) => entityText(entity) },
  {
    key: 'entityId',
    title: 'Record id',
    wide: true,
    optional: true,
    render: ({ entityId }) => orDash(entityId && <code className="code">{entityId}</code>),
  },
  { key: 'ip', title: 'Address', wide: true, optional: true, render: ({ ip }) => orDash(ip) },
  { key: 'seq', title: 'Number', align: 'right', wide: true, optional: true, render: ({ seq }) => formatCount(seq) },
  { key: 'at', title: 'When', sort: 'seq', render: ({ at }) => <When at={at} as="second" /> },
]

const counted = (facet: Facets['actions'], name: (value: string, label: string) => string) =>
  facet.map(({ value, label, count }) => ({ value, label: `${name(value, label)} · ${formatCount(count)}` }))

const filtersOf = (facets: Facets | undefined): readonly FilterOf<'audit.list'>[] => [
  {
    key: 'people',
    label: say('audit.by'),
    options: [{ value: 'true', label: say('audit.people') }],
    fallback: 'true',
  },
  { key: 'action', label: 'What', options: counted(facets?.actions ?? [], actionText) },
  { key: 'actorId', label: 'Who', options: counted(facets?.actors ?? [], (_value, label) => label) },
  { key: 'entity', label: 'Record', options: counted(facets?.entities ?? [], entityText) },
  { key: 'from', until: 'to', label: 'Time', kind: 'days' },
  { key: 'entityId', label: 'Record id' },
  { key: 'traderId', label: 'Client id' },
]

/** Who did what, when, and what it was before. */
export const AuditList = () => {
  const can = useCan()
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const [verifying, { open, close }] = useDisclosure()
  const facets = useQuery({ queryKey: ['audit', 'facets'], queryFn: fetchFacets, staleTime: 60_000 })
  const filters = filtersOf(facets.data)
  return (
    <Page
      title="Audit"
      subtitle="Every change, who made it, and what it was before. Entries cannot be changed or removed."
      actions={
        <>
          <ExportButton of={auditCsv} filters={filters} />
          {can('admin') && (
            <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={open}>
              Check the log
            </Button>
          )}
        </>
      }
    >
      <DataList
        counted="count"
        id="audit"
        usualSort="-seq"
        label="Audit entries"
        fetch={fetchAudit}
        columns={COLUMNS}
        filters={filters}
        onOpen={setShown}
        empty={<EmptyState title="Nothing has happened yet">Every change will be listed here.</EmptyState>}
      />
      <ChangeDrawer
        entry={shown}
        facts={[
          ['Kind of record', shown && entityText(shown.entity)],
          ['Address', shown?.ip],
          ['Number in the log', shown && formatCount(shown.seq)],
          ['API key', shown?.apiKeyId ?? undefined],
          ['Request', shown?.requestId],
        ]}
        onClose={() => setShown(null)}
      />
      {verifying && <VerifyChain onClose={close} />}
    </Page>
  )
}
