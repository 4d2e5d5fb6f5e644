import { ActionIcon, Alert, Button, List, Stack, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { notify, notifyFailure } from '../../../lib/api/notify.tsx'
import { formatBytes } from '../../../lib/text/format.ts'
import { type Backups, backupsQuery, beginDrill, downloadBackup, type Snapshot, takeBackup } from './system.api.ts'
import { say } from './words.ts'

const REASONS: Record<Snapshot['reason'], string> = {
  nightly: say('system.backups.nightly'),
  manual: say('system.backups.manual'),
  upgrade: say('system.backups.upgrade'),
}

/** Shows a failure as a notice, because a run that did not start has no place on the page. */
const tellFailure = (error: Error): void => notifyFailure(errorText(error))

/** Shows where changes are copied as they happen, and how far the copy is behind. */
const Replica = ({ replica }: { replica: Backups['replica'] }) => {
  if (!replica) return <Text size="sm">{say('system.backups.no_replica')}</Text>
  const { url, state, why, lagSeconds, syncedAt } = replica
  return (
    <div>
      <Text size="sm" component="div">
        {say('system.backups.replica')} <code>{url}</code>{' '}
        <StatusBadge status={state} tone={state === 'running' ? 'good' : state === 'down' ? 'bad' : 'wait'} />
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {why ??
          (lagSeconds > 5
            ? say('system.backups.lag', { seconds: Math.round(lagSeconds) })
            : say('system.backups.no_lag'))}{' '}
        {syncedAt && (
          <>
            {say('system.backups.synced')} <When at={syncedAt} as="ago" />
          </>
        )}
      </Text>
    </div>
  )
}

/** Shows the result of the last drill, with the faults that it found. */
const Proof = ({ drill, provenAt }: Pick<Backups, 'drill' | 'provenAt'>) => {
  if (!drill)
    return (
      <Alert role="note" color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
        {say('system.backups.never_proven')}
      </Alert>
    )
  const faults = [drill.replica, drill.snapshot].flatMap((proof) => proof?.faults ?? [])
  return drill.ok ? (
    <Alert role="note" color="green" variant="light" icon={<IconCircleCheck size={18} />}>
      {say('system.backups.proven')} <When at={provenAt} as="ago" />
    </Alert>
  ) : (
    <Alert role="note" color="red" variant="light" icon={<IconAlertTriangle size={18} />}>
      {say('system.backups.not_good')} <When at={drill.at} as="ago" />
      <List size="sm" mt={4}>
        {faults.slice(0, 10).map((fault) => (
          <List.Item key={fault}>{fault}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

const SnapshotRow = ({ snapshot }: { snapshot: Snapshot }) => {
  const save = useMutation({ mutationFn: () => downloadBackup(snapshot.id), onError: tellFailure })
  const name = say('system.backups.download_one', { id: snapshot.id })
  return (
    <Table.Tr>
      <Table.Td>
        <When at={snapshot.createdAt} />
      </Table.Td>
      <Table.Td>{REASONS[snapshot.reason]}</Table.Td>
      <Table.Td ta="right" className="num">
        {formatBytes(snapshot.packedBytes)}
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right" className="num">
        {formatBytes(snapshot.bytes)}
      </Table.Td>
      <Table.Td ta="right">
        <Tooltip label={say('system.backups.download')}>
          <ActionIcon
            variant="default"
            size="lg"
            loading={save.isPending}
            onClick={() => save.mutate()}
            aria-label={name}
          >
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  )
}

const Snapshots = ({ snapshots }: { snapshots: readonly Snapshot[] }) =>
  snapshots.length === 0 ? (
    <EmptyState title={say('system.backups.none')}>{say('system.backups.none_about')}</EmptyState>
  ) : (
    <ScrollRegion className="jobs-region" label={say('system.backups.snapshots')}>
      <Table verticalSpacing={8} horizontalSpacing="sm" aria-label={say('system.backups.snapshots')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('system.backups.taken')}</Table.Th>
            <Table.Th>{say('system.backups.reason')}</Table.Th>
            <Table.Th ta="right">{say('system.backups.file')}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {say('system.backups.data')}
            </Table.Th>
            <Table.Th>
              <VisuallyHidden>{say('system.jobs.acts')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {snapshots.map((snapshot) => (
            <SnapshotRow key={snapshot.id} snapshot={snapshot} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  )

/** Says when a restore was last proven. */
export const RestoreProven = () => {
  const { data } = useQuery(backupsQuery)
  if (!data?.provenAt || !data.drill?.ok) return null
  return (
    <Text size="sm" c="dimmed" component="div">
      {say('system.overview.proven')} <When at={data.provenAt} as="ago" />
    </Text>
  )
}

/** Shows the copies of the installation: the replica, the snapshots, and the proof that they can be restored. */
export const BackupsSection = () => {
  const client = useQueryClient()
  const backups = useQuery(backupsQuery)
  const begun = (words: string) => (answer: Backups) => {
    notify(words)
    client.setQueryData(backupsQuery.queryKey, answer)
  }
  const take = useMutation({
    mutationFn: takeBackup,
    onSuccess: begun(say('system.backups.taking')),
    onError: tellFailure,
  })
  const drill = useMutation({
    mutationFn: beginDrill,
    onSuccess: begun(say('system.backups.drilling')),
    onError: tellFailure,
  })
  const running = backups.data?.running ?? []
  return (
    <Section
      title={say('system.backups.title')}
      description={say('system.backups.about')}
      actions={
        <>
          <Button
            variant="default"
            loading={drill.isPending || running.includes('drill')}
            onClick={() => drill.mutate()}
          >
            {say('system.backups.drill')}
          </Button>
          <Button loading={take.isPending || running.includes('snapshot')} onClick={() => take.mutate()}>
            {say('system.backups.take')}
          </Button>
        </>
      }
    >
      <Loaded query={backups}>
        {(told) => (
          <Stack gap="md">
            <Proof drill={told.drill} provenAt={told.provenAt} />
            <Replica replica={told.replica} />
            <Snapshots snapshots={told.data} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
