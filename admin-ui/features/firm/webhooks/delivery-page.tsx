import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRepeat } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { JsonBlock } from '../../../components/show/json-block.tsx'
import { When } from '../../../components/show/moment.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRecord, useRefresh } from '../../../lib/api/use-record.ts'
import { Attempts } from './attempts.tsx'
import { findRecordLink } from './record-of-event.ts'
import { DeliveryStatus } from './webhook-words.tsx'
import { type DeliveryRecord, fetchDelivery, replayDelivery } from './webhooks.api.ts'
import { say } from './words.ts'

/** Shows what a delivery sent, and each attempt with its answer. */
export const DeliveryPage = () => {
  const { id = '' } = useParams({ strict: false })
  const delivery = useRecord('webhooks', id, fetchDelivery, ({ finishedAt }) => finishedAt === null)
  return <Loaded query={delivery}>{(data) => <DeliveryView delivery={data} />}</Loaded>
}

/** Links to the record that an event is about, by the first of its ids that has a page. */
function renderRecordLink(body: string): ReactNode {
  const place = findRecordLink(body)
  return (
    place && (
      <Link to={place.to} className="text-link">
        {say(place.key)}
      </Link>
    )
  )
}

const DeliveryView = ({ delivery }: { delivery: DeliveryRecord }) => {
  const [opened, { open, close }] = useDisclosure()
  return (
    <RecordPage
      title={delivery.event}
      back={{ to: `/webhooks/${delivery.subscriptionId}/deliveries`, label: say('webhooks.deliveries') }}
      status={<DeliveryStatus delivery={delivery} />}
      actions={
        <Button leftSection={<IconRepeat size={16} />} onClick={open}>
          {say('webhooks.replay.action')}
        </Button>
      }
    >
      <Stack gap="md">
        <Section title={say('webhooks.delivery')}>
          <Facts
            items={[
              [say('webhooks.created'), <When key="created" at={delivery.createdAt} />],
              [say('webhooks.finished'), delivery.finishedAt && <When key="finished" at={delivery.finishedAt} />],
              [
                say('webhooks.attempt.next'),
                delivery.nextAttemptAt ? <When key="next" at={delivery.nextAttemptAt} /> : undefined,
              ],
              [say('webhooks.about'), renderRecordLink(delivery.body)],
              [say('webhooks.delivery'), delivery.id],
              [say('webhooks.event'), delivery.eventId],
              [say('webhooks.repeats'), delivery.replayOf ?? undefined],
            ]}
          />
        </Section>
        <Section title={say('webhooks.attempts')} flush>
          {delivery.log.length > 0 ? (
            <Attempts log={delivery.log} />
          ) : (
            <EmptyState title={say('webhooks.attempts.empty.title')}>{say('webhooks.attempts.empty.about')}</EmptyState>
          )}
        </Section>
        <Section title={say('webhooks.body.title')} description={say('webhooks.body.about')}>
          <JsonBlock value={delivery.body} label={say('webhooks.body.title')} />
        </Section>
      </Stack>
      <Replay id={delivery.id} opened={opened} onClose={close} />
    </RecordPage>
  )
}

type ReplayProps = { id: string; opened: boolean; onClose: () => void }

/** Asks before the same event is sent once more, and goes to that delivery. */
const Replay = ({ id, opened, onClose }: ReplayProps) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const replay = async (): Promise<void> => {
    const again = await replayDelivery(id)
    notify(say('webhooks.replay.done'))
    await refresh('webhooks')
    await navigate({ to: '/webhooks/deliveries/$id', params: { id: again.id } })
  }
  return (
    <Confirm
      title={say('webhooks.replay.title')}
      confirmLabel={say('webhooks.replay.action')}
      danger={false}
      opened={opened}
      onClose={onClose}
      onReload={() => void refresh('webhooks')}
      action={replay}
    >
      {say('webhooks.replay.about')}
    </Confirm>
  )
}
