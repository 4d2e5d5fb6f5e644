import { Button, FileInput, Group, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FormModal } from '../../components/form-modal.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { formatCount } from '../../lib/format.ts'
import { notify } from '../../lib/notify.ts'
import { useCan } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import {
  fetchLists,
  loadList,
  type NewList,
  type SanctionsList,
  SOURCE_LABELS,
  SOURCE_OPTIONS,
} from './sanctions.api.ts'

const COLUMNS: readonly Column<SanctionsList>[] = [
  { key: 'source', title: 'List', render: ({ source }) => SOURCE_LABELS[source] },
  { key: 'version', title: 'Version', render: ({ version }) => version },
  {
    key: 'current',
    title: 'State',
    render: ({ current, screenedAt }) =>
      current ? (
        <StatusBadge status={screenedAt ? 'active' : 'pending'} label={screenedAt ? 'In use' : 'Screening'} />
      ) : (
        <StatusBadge status="expired" label="Replaced" />
      ),
  },
  { key: 'entries', title: 'Entries', align: 'right', wide: true, render: ({ entries }) => formatCount(entries) },
  {
    key: 'hash',
    title: 'Fingerprint (SHA-256)',
    wide: true,
    render: ({ hash }) => (
      <code className="code" title={hash}>
        {hash.slice(0, 16)}…
      </code>
    ),
  },
  { key: 'createdAt', title: 'Loaded', wide: true, render: ({ createdAt }) => <When at={createdAt} /> },
]

/** The loaded lists. A new version screens everybody again. */
export const Lists = () => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  const load = can('admin') && (
    <Button leftSection={<IconUpload size={16} />} onClick={open}>
      Load a list
    </Button>
  )
  return (
    <Stack gap="sm">
      <Group justify="flex-end">{load}</Group>
      <DataList
        id="sanctions"
        within={['lists', 'all']}
        label="Lists"
        fetch={fetchLists}
        columns={COLUMNS}
        plain
        empty={
          <EmptyState title="No lists yet">
            Download a list from its publisher and load the file here. Everybody is screened against it at once.
          </EmptyState>
        }
      />
      {opened && <LoadForm onClose={close} />}
    </Stack>
  )
}

type Values = { source: NewList['source']; version: string; file: File | null }
const INITIAL: Values = { source: 'ofac_sdn', version: '', file: null }

const LoadForm = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: INITIAL,
    validate: {
      version: required('Say which version this is'),
      file: (file) => (file ? null : 'Choose the file'),
    },
    submit: async ({ source, version, file }) =>
      loadList({ source, version: version.trim(), content: (await file?.text()) ?? '' }),
    onDone: ({ entries }) => {
      notify(`Loaded, ${formatCount(entries)} ${entries === 1 ? 'entry' : 'entries'}. Everybody is being screened.`)
      void refresh('sanctions', 'summary')
      onClose()
    },
  })
  const field = state.form.getInputProps
  return (
    <FormModal state={state} title="Load a list" submitLabel="Load and screen" opened onClose={onClose}>
      <Select label="List" data={SOURCE_OPTIONS} allowDeselect={false} data-autofocus {...field('source')} />
      <TextInput label="Version" description="As the publisher calls it, or the day it is from" {...field('version')} />
      <FileInput
        label="File"
        description="OFAC: SDN.CSV. EU and UN: the consolidated XML"
        placeholder="Choose a file"
        accept=".csv,.xml,text/csv,text/xml,application/xml"
        clearable
        {...field('file')}
      />
    </FormModal>
  )
}
