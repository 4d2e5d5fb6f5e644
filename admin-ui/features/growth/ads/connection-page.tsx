import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { type Connection, fetchConnection } from './ads.api.ts'
import { ConnectionStatus, isOpen } from './ads-words.tsx'
import { Backfills } from './backfills.tsx'
import { ConnectionActions } from './connection-actions.tsx'
import { WebhookGuide } from './webhook-guide.tsx'
import { say } from './words.ts'

/** The page refreshes after this many milliseconds: `SOON` while leads are being fetched, `LATER` otherwise. */
const SOON = 2000
const LATER = 30_000

/** Shows the state of a connection, its backfills, and what to enter at the platform. */
export const ConnectionPage = () => {
  const { id = '' } = useParams({ strict: false })
  const connection = useQuery({
    queryKey: ['ads', 'one', id],
    queryFn: () => fetchConnection(id),
    refetchInterval: ({ state }) => (state.data?.backfills?.some(isOpen) ? SOON : LATER),
  })
  return <Loaded query={connection}>{(data) => <ConnectionRecord connection={data} />}</Loaded>
}

const ConnectionRecord = ({ connection }: { connection: Connection }) => {
  const navigate = useNavigate()
  const { name, status, lastError, waitsUntil } = connection
  return (
    <RecordPage
      title={name}
      back={{ to: '/ads', label: say('ads.list.title') }}
      status={<ConnectionStatus status={status} />}
      actions={<ConnectionActions connection={connection} onGone={() => navigate({ to: '/ads' })} />}
    >
      <Stack gap="md">
        {status === 'error' && (
          <Alert color="red" variant="light" title={say('ads.page.error_title')}>
            {lastError && <div>{lastError}</div>}
            {say('ads.page.error')}
          </Alert>
        )}
        {status === 'disabled' && (
          <Alert color="yellow" variant="light" title={say('ads.page.disabled_title')}>
            {say('ads.page.disabled')}
          </Alert>
        )}
        <Section title={say('ads.page.connection')}>
          <Facts
            items={[
              [say('ads.list.pages'), <Labels key="pages" values={connection.pageIds} limit={8} />],
              [say('ads.form.ad_account'), connection.adAccountId],
              [say('ads.form.pixel'), connection.pixelId ?? undefined],
              [say('ads.form.dataset'), connection.datasetId ?? undefined],
              [
                say('ads.list.last_lead'),
                connection.lastLeadAt && <When key="lead" at={connection.lastLeadAt} as="ago" />,
              ],
              [say('ads.page.tested'), connection.testedAt && <When key="tested" at={connection.testedAt} as="ago" />],
              [say('ads.page.waits'), waitsUntil ? <When key="waits" at={waitsUntil} /> : undefined],
              [say('ads.list.last_error'), lastError && status !== 'error' ? lastError : undefined],
            ]}
          />
        </Section>
        <Backfills connection={connection} />
        <WebhookGuide />
      </Stack>
    </RecordPage>
  )
}
