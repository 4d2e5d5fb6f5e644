import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { type Server, testServer } from './servers.api.ts'
import { TestResult } from './test-result.tsx'
import { say } from './words.ts'

type ServerTestPanelProps = {
  server: Server
  /** Whether the settings that wait are tested, and not those in force. */
  ofPending: boolean
  onClose: () => void
}

/** Asks the server at once, and shows what it found. */
export const ServerTestPanel = ({ server, ofPending, onClose }: ServerTestPanelProps) => {
  const { id, name } = server
  const refresh = useRefresh()
  const test = useQuery({
    queryKey: ['platforms-test', id, ofPending],
    queryFn: () => testServer(id, ofPending),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const close = (): void => {
    void refresh('platforms')
    onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={say(ofPending ? 'terminals.test.title_waits' : 'terminals.test.title', { name })}
      size="lg"
    >
      <Stack>
        {test.isFetching && (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">{say('terminals.test.asking')}</Text>
          </Group>
        )}
        {test.isError && !test.isFetching && <ErrorState error={test.error} retry={() => void test.refetch()} />}
        {test.data && !test.isFetching && <TestResult test={test.data} />}
        <Group justify="flex-end" gap="xs">
          {test.data && (
            <Button variant="default" disabled={test.isFetching} onClick={() => void test.refetch()}>
              {say('terminals.test.again')}
            </Button>
          )}
          <Button onClick={close}>{say('common.close')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
