import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Page, Query } from '../../api.ts'
import { clearAll, type Filter, isNarrowed, notUnderstood } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { ErrorState } from '../page/error-state.tsx'
import { ListSkeleton, NoMatch, WrongAddress, wrongPart } from './list-empty.tsx'
import type { ListReading } from './list-query.ts'
import { MaybeOld } from './list-rest.tsx'

type Filled = {
  id: string
  fetch: (query: Query) => Promise<Page<unknown>>
  /** Replaces the rows if there are none at all. */
  empty: ReactNode
  /** Replaces them if the list opens on a status that no row has, although there are others. */
  nothingWaits?: ReactNode
}

type ListStateProps = {
  of: Filled
  query: Query
  list: ListReading<unknown>['list']
  /** Whether it is not yet known which rows the list opens with. */
  isWaiting: boolean
  isEmpty: boolean
  /** Whether the search may have missed rows. */
  isPart: boolean
  /** The filters; null if the list has no search and filters of its own. */
  filters: readonly Filter[] | null
}

/** Shows why a list has no rows to show: it is loading, it failed, its address is wrong, or it is empty. */
export function ListState({ of, query, list, isWaiting, isEmpty, isPart, filters }: ListStateProps) {
  const [search, setSearch] = useSearchParams()
  const wrong = filters ? notUnderstood(list.error, search, filters) : []
  return (
    <>
      {(list.isPending || (isWaiting && list.data)) && <ListSkeleton />}
      {list.isLoadingError && wrong.length === 0 && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.isLoadingError && wrong.length > 0 && (
        <WrongAddress
          parts={wrong.map((part) => wrongPart(part, search[part.key] ?? ''))}
          onDrop={() => setSearch(Object.fromEntries(wrong.map(({ key }) => [key, undefined])))}
        />
      )}
      <MaybeOld list={list} />
      {list.data && !isWaiting && isEmpty && <Nothing {...{ of, query, isPart, filters }} />}
    </>
  )
}

type NothingProps = Pick<ListStateProps, 'of' | 'query' | 'isPart' | 'filters'>

/**
 * Says why there are no rows: filters hide them, none has the status on which the list opens, or there are none yet.
 */
const Nothing = ({ of, query, isPart, filters }: NothingProps) => {
  const [search, setSearch] = useSearchParams()
  const narrowed = filters !== null && isNarrowed(search, filters)
  const opensOn = (filters ?? []).filter(({ key, fallback }) => fallback !== undefined && search[key] === undefined)
  const whole = { ...query, limit: 1, ...Object.fromEntries(opensOn.map(({ key }) => [key, undefined])) }
  const any = useQuery({
    queryKey: [of.id, 'any', whole],
    queryFn: () => of.fetch(whole),
    enabled: !narrowed && opensOn.length > 0,
  })
  const noMatch = <NoMatch isPart={isPart} onClear={() => setSearch(clearAll(filters ?? []))} />
  if (narrowed) return noMatch
  if (any.isLoading) return <ListSkeleton />
  return any.data && any.data.data.length > 0 ? (of.nothingWaits ?? noMatch) : of.empty
}
