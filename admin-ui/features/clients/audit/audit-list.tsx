import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { CLIENT_CELL, type FileRow } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { type AuditEntry, type Facets, fetchAudit, fetchFacets } from './audit.api.ts'
import { actionText, actorText, changedFields, entityText } from './audit-words.ts'
import { ChangeDrawer } from './change-drawer.tsx'
import { VerifyChain } from './verify-chain.tsx'
import { say } from './words.ts'

const readState = (text: string | undefined): AuditEntry['before'] => {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return null
  }
}
const readChanged = ({ before, after }: FileRow): string =>
  changedFields({ before: readState(before), after: readState(after) }) ?? ''

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'action', file: { words: actionText }, title: say('audit.what'), render: ({ action }) => actionText(action) },
  {
    key: 'actor',
    file: ({ actorKind = '', actorName = null }) => actorText({ actorKind, actorName: actorName || null }),
    title: say('audit.who'),
    render: actorText,
  },
  {
    key: 'trader',
    file: CLIENT_CELL,
    title: say('common.client'),
    wide: true,
    card: true,
    render: ({ traderName }) => orDash(traderName),
  },
  {
    key: 'changed',
    file: readChanged,
    title: say('audit.changed'),
    wide: true,
    render: (entry) => orDash(changedFields(entry)),
  },
  {
    key: 'entity',
    file: { words: entityText },
    title: say('audit.record'),
    wide: true,
    optional: true,
    render: ({ entity }) => entityText(entity),
  },
  {
    key: 'entityId',
    title: say('audit.record.id'),
    wide: true,
    optional: true,
    render: ({ entityId }) => orDash(entityId && <code className="code">{entityId}</code>),
  },
  { key: 'ip', title: say('common.address'), wide: true, optional: true, render: ({ ip }) => orDash(ip) },
  {
    key: 'seq',
    title: say('audit.number'),
    align: 'right',
    wide: true,
    optional: true,
    render: ({ seq }) => formatCount(seq),
  },
  { key: 'at', title: say('common.when'), sort: 'seq', render: ({ at }) => <When at={at} as="second" /> },
]

const counted = (facet: Facets['actions'], name: (value: string, label: string) => string) =>
  facet.map(({ value, label, count }) => ({ value, label: `${name(value, label)} · ${formatCount(count)}` }))

const buildFilters = (facets: Facets | undefined): readonly FilterOf<'audit.list'>[] => [
  {
    key: 'people',
    label: say('audit.by'),
    options: [{ value: 'true', label: say('audit.people') }],
    fallback: 'true',
  },
  { key: 'action', label: say('audit.what'), options: counted(facets?.actions ?? [], actionText) },
  { key: 'actorId', label: say('audit.who'), options: counted(facets?.actors ?? [], (_value, label) => label) },
  { key: 'entity', label: say('audit.record'), options: counted(facets?.entities ?? [], entityText) },
  { key: 'from', until: 'to', label: say('audit.time'), kind: 'days' },
  { key: 'entityId', label: say('audit.record.id') },
]

/** Lists who did what and when; an opened entry shows the values before and after. */
export const AuditList = () => {
  const can = useCan()
  const [verifying, { open, close }] = useDisclosure()
  const facets = useQuery({ queryKey: ['audit', 'facets'], queryFn: fetchFacets, staleTime: 60_000 })
  const filters = buildFilters(facets.data)
  return (
    <Page
      title={say('audit.audit')}
      subtitle={say('audit.about')}
      actions={
        can('admin') && (
          <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={open}>
            {say('audit.verify.action')}
          </Button>
        )
      }
    >
      <DataList
        counted="count"
        id="audit"
        file="audit.export"
        usualSort="-seq"
        searchPlaceholder={say('lists.search_record')}
        label={say('audit.list.label')}
        fetch={fetchAudit}
        columns={COLUMNS}
        filters={filters}
        beside={(entry, close) => (
          <ChangeDrawer
            entry={entry}
            facts={[
              [say('audit.record.kind'), entityText(entry.entity)],
              [say('common.address'), entry.ip],
              [say('audit.record.number'), formatCount(entry.seq)],
              [say('audit.api_key'), entry.apiKeyId ?? undefined],
              [say('audit.request'), entry.requestId],
            ]}
            onClose={close}
          />
        )}
        empty={<EmptyState title={say('audit.empty.title')}>{say('audit.empty.about')}</EmptyState>}
      />
      {verifying && <VerifyChain onClose={close} />}
    </Page>
  )
}
