import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { AttemptFacts } from './attempts.tsx'
import { DeliveryStatus } from './webhook-words.tsx'
import { type Subscription, testSubscription } from './webhooks.api.ts'
import { say } from './words.ts'

/** Sends a test at once and shows how the receiver answered. */
export const TestDelivery = ({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const test = useQuery({
    queryKey: ['webhook-test', subscription.id],
    queryFn: () => testSubscription(subscription.id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const close = (): void => {
    void refresh('webhooks')
    onClose()
  }
  return (
    <Modal opened onClose={close} title={say('webhooks.test.title')}>
      <Loaded query={test}>
        {(delivery) => {
          const attempt = delivery.log.at(-1)
          return (
            <Stack>
              <DeliveryStatus delivery={delivery} />
              {attempt ? <AttemptFacts attempt={attempt} /> : <Text size="sm">{say('webhooks.test.no_attempt')}</Text>}
              <Group justify="flex-end" gap="xs">
                <Button
                  variant="default"
                  onClick={() => void navigate({ to: '/webhooks/deliveries/$id', params: { id: delivery.id } })}
                >
                  {say('webhooks.test.open')}
                </Button>
                <Button onClick={close}>{say('common.close')}</Button>
              </Group>
            </Stack>
          )
        }}
      </Loaded>
    </Modal>
  )
}
