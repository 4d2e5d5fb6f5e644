import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRepeat } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { say } from '../../../src/words/say.ts'
import { Confirm } from '../../components/confirm.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { JsonBlock } from '../../components/json-block.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Facts, RecordPage } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { notify } from '../../lib/notify.tsx'
import { useRecord, useRefresh } from '../../lib/use-record.ts'
import { placeOf } from './about.ts'
import { Attempts } from './attempts.tsx'
import { DeliveryStatus } from './webhook-words.tsx'
import { type DeliveryRecord, fetchDelivery, replayDelivery } from './webhooks.api.ts'

/** One delivery: what was sent, each attempt and its answer. */
export const DeliveryPage = () => {
  const { id = '' } = useParams({ strict: false })
  const delivery = useRecord('webhooks', id, fetchDelivery, ({ finishedAt }) => finishedAt === null)
  return <Loaded query={delivery}>{(data) => <DeliveryView delivery={data} />}</Loaded>
}

/** The record that an event is about, by the first of its ids that has a page. */
function aboutOf(body: string): ReactNode {
  const place = placeOf(body)
  return (
    place && (
      <Link to={place.to} className="text-link">
        {say(place.word)}
      </Link>
    )
  )
}

const DeliveryView = ({ delivery }: { delivery: DeliveryRecord }) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [opened, { open, close }] = useDisclosure()
  const replay = async (): Promise<void> => {
    const again = await replayDelivery(delivery.id)
    notify('Sent again.')
    await refresh('webhooks')
    await navigate({ to: '/webhooks/deliveries/$id', params: { id: again.id } })
  }
  return (
    <RecordPage
      title={delivery.event}
      back={{ to: `/webhooks/${delivery.subscriptionId}/deliveries`, label: 'Deliveries' }}
      status={<DeliveryStatus delivery={delivery} />}
      actions={
        <Button leftSection={<IconRepeat size={16} />} onClick={open}>
          Send again
        </Button>
      }
    >
      <Stack gap="md">
        <Section title="Delivery">
          <Facts
            items={[
              ['Created', <When key="created" at={delivery.createdAt} />],
              ['Finished', delivery.finishedAt && <When key="finished" at={delivery.finishedAt} />],
              ['Next attempt', delivery.nextAttemptAt ? <When key="next" at={delivery.nextAttemptAt} /> : undefined],
              [say('webhooks.about'), aboutOf(delivery.body)],
              ['Delivery', delivery.id],
              ['Event', delivery.eventId],
              ['Repeats', delivery.replayOf ?? undefined],
            ]}
          />
        </Section>
        <Section title="Attempts" flush>
          {delivery.log.length > 0 ? (
            <Attempts log={delivery.log} />
          ) : (
            <EmptyState title="Not sent yet">The first attempt follows in a moment.</EmptyState>
          )}
        </Section>
        <Section title="Signed body" description="The bytes that were signed and sent, indented here for reading.">
          <JsonBlock value={delivery.body} label="Signed body" />
        </Section>
      </Stack>
      <Confirm
        title="Send this again"
        confirmLabel="Send again"
        danger={false}
        opened={opened}
        onClose={close}
        onReload={() => void refresh('webhooks')}
        action={replay}
      >
        The same event is sent once more with the same id, so that a careful receiver can tell that it has seen it.
      </Confirm>
    </RecordPage>
  )
}
