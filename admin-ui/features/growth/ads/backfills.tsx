import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import type { Backfill, Connection } from './ads.api.ts'
import { BackfillStatus } from './ads-words.tsx'
import { BackfillForm } from './backfill-form.tsx'
import { say } from './words.ts'

/** Shows the last backfills of a connection and their progress. The page refreshes them. */
export const Backfills = ({ connection }: { connection: Connection }) => {
  const [opened, { open, close }] = useDisclosure()
  const { backfills = [], status } = connection
  return (
    <Section
      title={say('ads.backfill.title')}
      description={say('ads.backfill.description')}
      flush={backfills.length > 0}
      actions={
        <Button variant="default" leftSection={<IconHistory size={16} />} disabled={status !== 'active'} onClick={open}>
          {say('ads.backfill.start')}
        </Button>
      }
    >
      {backfills.length === 0 ? (
        <Text size="sm" c="dimmed">
          {say('ads.backfill.none')}
        </Text>
      ) : (
        <ul className="rows">
          {backfills.map((backfill) => (
            <BackfillRow key={backfill.id} backfill={backfill} stands={status !== 'active'} />
          ))}
        </ul>
      )}
      {opened && <BackfillForm connection={connection} onClose={close} />}
    </Section>
  )
}

const BackfillRow = ({ backfill, stands }: { backfill: Backfill; stands: boolean }) => {
  const { formId, since, fetched, created, duplicates, failed, lastError, nextAttemptAt, status } = backfill
  return (
    <li className="row">
      <Stack gap={4} className="row-main">
        <div>
          {say('ads.backfill.form', { form: formId })} <span className="dim">·</span> {say('ads.backfill.since')}{' '}
          <When at={since} as="date" />
        </div>
        <div className="row-sub" aria-live="polite">
          {say('ads.backfill.counts', { fetched, created, duplicates, failed })}
        </div>
        {lastError && <div className="row-sub">{lastError}</div>}
        {nextAttemptAt && !stands && (
          <div className="row-sub">
            {say('ads.backfill.next')} <When at={nextAttemptAt} />
          </div>
        )}
      </Stack>
      <Group gap="xs" wrap="nowrap">
        {/* the platform does not report a total, so no progress in per cent can be shown */}
        {status === 'running' && !stands && <Loader size={14} aria-label={say('ads.backfill.going')} />}
        <BackfillStatus status={status === 'running' && stands ? 'waiting' : status} />
      </Group>
    </li>
  )
}
