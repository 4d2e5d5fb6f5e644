import type { ReactNode } from 'react'
import { clearAll, type Filter, isNarrowed, notUnderstood } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { ErrorState } from '../page/error-state.tsx'
import { ListSkeleton, NoMatch, WrongAddress, wrongPart } from './list-empty.tsx'
import type { ListReading } from './list-query.ts'
import { MaybeOld } from './list-rest.tsx'

type ListStateProps = {
  list: ListReading<unknown>['list']
  /** Whether it is not yet known which rows the list opens with. */
  isWaiting: boolean
  isEmpty: boolean
  /** Whether the search may have missed rows. */
  isPart: boolean
  /** The filters; null if the list has no search and filters of its own. */
  filters: readonly Filter[] | null
  /** Replaces the rows if there are none at all. */
  empty: ReactNode
}

/** Shows why a list has no rows to show: it is loading, it failed, its address is wrong, or it is empty. */
export function ListState({ list, isWaiting, isEmpty, isPart, filters, empty }: ListStateProps) {
  const [search, setSearch] = useSearchParams()
  const wrong = filters ? notUnderstood(list.error, search, filters) : []
  const nothing = (): ReactNode =>
    filters && isNarrowed(search, filters) ? (
      <NoMatch isPart={isPart} onClear={() => setSearch(clearAll(filters))} />
    ) : (
      empty
    )
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
      {list.data && !isWaiting && isEmpty && nothing()}
    </>
  )
}
