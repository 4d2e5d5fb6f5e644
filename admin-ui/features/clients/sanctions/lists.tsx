import { Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { formatMessage } from '../../../lib/forms/use-api-form.ts'
import { useNewForm } from '../../../lib/lists/use-new-form.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { LoadForm } from './load-form.tsx'
import { fetchLists, type SanctionsList, SOURCE_LABELS } from './sanctions.api.ts'
import { say } from './words.ts'

const STATES: Record<SanctionsList['status'], { label: string; tone: Tone }> = {
  screening: { label: say('sanctions.list.screening'), tone: 'wait' },
  screened: { label: say('sanctions.list.screened'), tone: 'good' },
  replaced: { label: say('sanctions.list.replaced'), tone: 'off' },
  failed: { label: say('common.failed'), tone: 'bad' },
}

const COLUMNS: readonly Column<SanctionsList>[] = [
  { key: 'source', title: say('sanctions.list'), render: ({ source }) => SOURCE_LABELS[source] },
  { key: 'version', title: say('sanctions.version'), render: ({ version }) => version },
  {
    key: 'current',
    title: say('common.state'),
    render: ({ status, failure }) => (
      <Stack gap={2} align="flex-start">
        <StatusBadge status={status} {...STATES[status]} />
        {failure && (
          <Text size="xs" c="dimmed">
            {formatMessage(failure)}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: 'entries',
    title: say('sanctions.entries'),
    align: 'right',
    wide: true,
    render: ({ entries }) => formatCount(entries),
  },
  {
    key: 'hash',
    title: say('sanctions.list.hash'),
    wide: true,
    render: ({ hash }) => (
      <code className="code" title={hash}>
        {hash.slice(0, 16)}…
      </code>
    ),
  },
  { key: 'createdAt', title: say('sanctions.loaded'), wide: true, render: ({ createdAt }) => <When at={createdAt} /> },
]

/** Shows the loaded lists. A new version of a list screens all clients again. */
export const Lists = () => {
  const can = useCan()
  const { opened, open, close } = useNewForm(can('admin'))
  const load = can('admin') && (
    <NewButton icon={<IconUpload size={16} />} onClick={open}>
      {say('sanctions.load.title')}
    </NewButton>
  )
  return (
    <Stack gap="sm">
      <Group justify="flex-end">{load}</Group>
      <DataList
        id="sanctions"
        within={['lists', 'all']}
        label={say('sanctions.lists')}
        fetch={fetchLists}
        columns={COLUMNS}
        plain
        empty={<EmptyState title={say('sanctions.lists.empty.title')}>{say('sanctions.lists.empty.about')}</EmptyState>}
      />
      {opened && <LoadForm onClose={close} />}
    </Stack>
  )
}
