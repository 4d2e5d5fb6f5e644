import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../../lib/api/session.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { fetchLists, type SanctionsList, SOURCE_LABELS } from './sanctions.api.ts'
import { say } from './words.ts'

/** Returns the lists whose screening failed, unless a later list of the same source has replaced them. */
const listFailed = (lists: readonly SanctionsList[]): SanctionsList[] =>
  lists.filter(
    (list) =>
      list.status === 'failed' &&
      !lists.some(
        ({ source, createdAt, status, id }) =>
          source === list.source &&
          (createdAt > list.createdAt || (createdAt === list.createdAt && id > list.id)) &&
          status !== 'failed',
      ),
  )

const isScreening = (lists: readonly SanctionsList[]): boolean => lists.some(({ status }) => status === 'screening')
/** Lists are read again this often while one of them is being screened, in milliseconds. */
const UNDER_WAY = 3000

/** Warns that an empty list of matches may be wrong: no list is loaded, or one is not screened. */
export const ScreeningNotice = () => {
  const can = useCan()
  const [search] = useSearchParams()
  const { data } = useQuery({
    queryKey: ['sanctions', 'lists', 'notice'],
    queryFn: fetchLists,
    // A screening without matches changes no count, so only the lists themselves show that it has ended.
    refetchInterval: ({ state }) => (state.data && isScreening(state.data.data) ? UNDER_WAY : false),
  })
  if (!data) return null
  const lists = data.data
  const none = !lists.some(({ current }) => current)
  const failed = listFailed(lists)
  const screening = isScreening(lists)
  // The tab of the lists has this button itself.
  const load = can('admin') && search.tab !== 'lists' && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconUpload size={14} />}
      renderRoot={(props) => <Link {...props} to="/sanctions" search={{ tab: 'lists', new: '1' }} />}
    >
      {say('sanctions.load.title')}
    </Button>
  )
  return (
    <Stack gap="sm" mb={none || failed.length > 0 || screening ? 'md' : 0}>
      {none && (
        <Notice title={say('sanctions.notice.no_list.title')}>
          {say('sanctions.notice.no_list.about')}
          {load}
        </Notice>
      )}
      {failed.map((list) => (
        <Notice
          key={list.id}
          title={say('sanctions.notice.unused.title', { source: SOURCE_LABELS[list.source], version: list.version })}
        >
          {say('sanctions.notice.unused.about', { failure: list.failure ?? say('sanctions.notice.unused.failure') })}{' '}
          {lists.some(({ source, current }) => source === list.source && current)
            ? say('sanctions.notice.unused.previous')
            : say('sanctions.notice.unused.no_previous')}
          {!none && load}
        </Notice>
      ))}
      {screening && (
        <Alert color="blue" variant="light" role="status" title={say('sanctions.notice.screening.title')}>
          {say('sanctions.notice.screening.about')}
        </Alert>
      )}
    </Stack>
  )
}

const Notice = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Alert color="yellow" variant="light" role="status" icon={<IconAlertTriangle size={18} />} title={title}>
    <Stack gap="xs" align="flex-start">
      {children}
    </Stack>
  </Alert>
)
