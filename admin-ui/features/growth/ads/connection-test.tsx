import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { type Check, type Connection, type ConnectionTest, testConnection } from './ads.api.ts'
import { checkName } from './ads-words.tsx'
import { say } from './words.ts'

/** Calls the platform at once, and shows the results for identity, ad account and each page. */
export const ConnectionTestPanel = ({ connection, onClose }: { connection: Connection; onClose: () => void }) => {
  const refresh = useRefresh()
  const test = useQuery({
    queryKey: ['ads-test', connection.id],
    queryFn: () => testConnection(connection.id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const close = (): void => {
    void refresh('ads')
    onClose()
  }
  return (
    <Modal opened onClose={close} title={say('ads.test.title', { name: connection.name })} size="lg">
      <Stack>
        {test.isFetching && (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">{say('ads.test.asking')}</Text>
          </Group>
        )}
        {test.isError && !test.isFetching && <ErrorState error={test.error} retry={() => void test.refetch()} />}
        {test.data && !test.isFetching && <Result test={test.data} wasError={connection.status === 'error'} />}
        <Group justify="flex-end" gap="xs">
          {test.data && (
            <Button variant="default" disabled={test.isFetching} onClick={() => void test.refetch()}>
              {say('ads.test.again')}
            </Button>
          )}
          <Button onClick={close}>{say('ads.test.close')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Result = ({ test, wasError }: { test: ConnectionTest; wasError: boolean }) => {
  const fine = test.checks.every(({ ok }) => ok)
  return (
    <Stack gap="sm">
      <Alert color={fine ? 'green' : 'red'} variant="light" role="status">
        {say(fine ? (wasError ? 'ads.test.fine_again' : 'ads.test.fine') : 'ads.test.not_fine')}
      </Alert>
      <ul className="rows not-fine">
        {test.checks.map((check) => (
          <CheckRow key={`${check.what} ${check.id}`} check={check} />
        ))}
      </ul>
    </Stack>
  )
}

const CheckRow = ({ check }: { check: Check }) => (
  <li className="row">
    <div className="row-main">
      <div>{checkName(check)}</div>
      <div className="row-sub">{check.ok ? (check.name ?? say('ads.test.no_name')) : check.message}</div>
    </div>
    <StatusBadge status={check.ok ? 'ok' : 'error'} label={say(check.ok ? 'ads.test.answered' : 'ads.test.refused')} />
  </li>
)
