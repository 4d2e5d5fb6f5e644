import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Page, Query } from '../../api.ts'
import { ALL, type Filter } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { say } from '../../lib/text/words.ts'
import type { Totals } from './list-foot.tsx'

type OtherStatusProps = {
  id: string
  filters: readonly Filter[]
  query: Query
  fetch: (query: Query) => Promise<Page<unknown> & Totals>
  /** How many rows the list has in all; undefined until that is known. */
  total: number | undefined
}

/**
 * Says below the hits of a search how many more rows it finds with another status than the one on which the list opens.
 */
export const OtherStatus = ({ id, filters, query, fetch, total }: OtherStatusProps) => {
  const [search, setSearch] = useSearchParams()
  const opensOn = filters.find(({ key, fallback }) => fallback !== undefined && search[key] === undefined)
  const whole = { ...query, limit: 1, count: 'true', ...(opensOn && { [opensOn.key]: undefined }) }
  const all = useQuery({
    queryKey: [id, 'whole', whole],
    queryFn: () => fetch(whole),
    enabled: opensOn !== undefined && Boolean(search.q) && total !== undefined,
  })
  const more = (all.data?.total ?? 0) - (total ?? 0)
  if (!opensOn || !search.q || more <= 0) return null
  return (
    <Group gap="xs" className="list-foot">
      <Text size="xs" role="status">
        {say('lists.other_status', { count: more })}
      </Text>
      <Button size="compact-xs" variant="subtle" onClick={() => setSearch({ [opensOn.key]: ALL })}>
        {say('lists.other_status.show')}
      </Button>
    </Group>
  )
}
