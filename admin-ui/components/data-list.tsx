import { Button, Center, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import { type ReactNode, useState } from 'react'
import type { Page, Query } from '../api.ts'
import { clearAll, type Filter, isNarrowed, listQuery, notUnderstood } from '../lib/filters.ts'
import { formatCount } from '../lib/format.ts'
import { useSearchParams } from '../lib/search-params.ts'
import { useHiddenColumns } from '../lib/use-hidden-columns.ts'
import { useListKeys } from '../lib/use-list-keys.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { LoadMore, MaybeOld } from './list-rest.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { RowLink } from './row-link.tsx'
import { type Selectable, stillChosen } from './selection.ts'

export type Column<T> = {
  key: string
  title: string
  render: (row: T) => ReactNode
  align?: 'left' | 'right' | 'center'
  width?: number | string
  /** The API's name for sorting by it. */
  sort?: string
  /** Not shown until the reader chooses it. */
  optional?: boolean
  /** Left out on a phone. */
  wide?: boolean
}

type DataListProps<T extends { id: string }> = {
  /** Names the list: its cache key and where its saved columns live. */
  id: string
  /** What the rows are, for assistive technology: "Deposits". */
  label: string
  fetch: (query: Query) => Promise<Page<T>>
  /** What kind of part of which record these rows are, say the deliveries of a webhook. */
  within?: readonly [kind: string, id: string]
  columns: readonly Column<T>[]
  filters?: readonly Filter[]
  searchPlaceholder?: string
  /** Parameters that always apply, say the trader whose deposits these are. */
  fixed?: Query
  /** Address of a row's page, without /admin. */
  href?: (row: T) => string
  /** Opens a row in place, where it has no page of its own. */
  onOpen?: (row: T) => void
  empty: ReactNode
  /** Buttons for the chosen rows. Rows can be chosen only when this is given. */
  bulk?: (rows: T[], clear: () => void) => ReactNode
  /** Which rows can be chosen; all of them without it. */
  selectable?: Selectable<T>
  refetchEvery?: number
  /** No search, filters and columns: a short list inside another page. */
  plain?: boolean
}

const WIDE_ONLY = '(min-width: 48em)'

/** A list bound to a cursor-paged endpoint, with its filters and order in the address. */
export const DataList = <T extends { id: string }>(props: DataListProps<T>) => {
  const { id, label, fetch, columns, filters = [], fixed, href, onOpen, empty, within, plain = false } = props
  const { bulk, selectable } = props
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const hidden = useHiddenColumns(within ? `${id}-${within[0]}` : id, columns)
  const query = { ...(plain ? {} : listQuery(search, filters)), ...fixed }
  const queryKey = [id, ...(within ?? ['list']), query]

  const [chosen, setChosen] = useState<T[]>([])
  // Another search, filter or order is another list: nobody acts on rows that are no longer before them.
  const asked = JSON.stringify(queryKey)
  const [chosenFor, setChosenFor] = useState(asked)
  if (chosenFor !== asked) {
    setChosenFor(asked)
    setChosen([])
  }

  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetch({ limit: 50, ...query, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (page: Page<T>) => page.nextCursor,
    placeholderData: (previous) => previous,
    ...(props.refetchEvery !== undefined && {
      refetchInterval: props.refetchEvery,
    }),
  })
  const rows = list.data?.pages.flatMap((page) => page.data) ?? []
  const selected = stillChosen(rows, chosen, selectable)
  const wrong = plain ? [] : notUnderstood(list.error, search, filters)
  const filtered = !plain && isNarrowed(search, filters)

  const open = (row: T): void => {
    if (href) void navigate({ to: href(row) })
    else onOpen?.(row)
  }
  // A list inside another page leaves the arrow keys to the page.
  const keys = useListKeys(plain ? [] : rows, open)

  const shown: DataTableColumn<T>[] = columns
    .filter(({ key }) => !hidden.has(key))
    .map((column, index) => ({
      accessor: column.key,
      // A column of buttons has no words above it, except for who cannot see the buttons.
      title: column.title || <span className="sr-only">Actions</span>,
      textAlign: column.align ?? 'left',
      sortable: column.sort !== undefined && !plain,
      ...(column.width !== undefined && { width: column.width }),
      ...(column.wide && { visibleMediaQuery: WIDE_ONLY }),
      render: (row: T) =>
        index === 0 && (href || onOpen) ? (
          <RowLink {...(href && { to: href(row) })} onOpen={() => open(row)}>
            {column.render(row)}
          </RowLink>
        ) : (
          column.render(row)
        ),
    }))

  const sort = search.sort ?? ''
  const sorted = columns.find((column) => column.sort === sort.replace(/^-/, ''))

  return (
    <Stack gap="sm">
      {!plain && (
        <ListToolbar
          filters={filters}
          columns={columns}
          hidden={hidden}
          fetching={list.isFetching}
          onRefresh={() => void list.refetch()}
          onLeave={keys.first}
          {...(props.searchPlaceholder && {
            searchPlaceholder: props.searchPlaceholder,
          })}
        />
      )}
      {bulk && selected.length > 0 && (
        <Paper className="bulk">
          <Text size="sm" fw={500}>
            {formatCount(selected.length)} selected
          </Text>
          {bulk(selected, () => setChosen([]))}
          <Button size="xs" variant="subtle" color="gray" onClick={() => setChosen([])}>
            Clear
          </Button>
        </Paper>
      )}
      <Paper className="list" ref={keys.ref}>
        {list.isPending && <ListSkeleton />}
        {list.isLoadingError && wrong.length === 0 && (
          <ErrorState error={list.error} retry={() => void list.refetch()} />
        )}
        {list.isLoadingError && wrong.length > 0 && (
          <WrongAddress
            parts={wrong.map(({ key, label }) => `${label} ${saidOf(key, search[key] ?? '')}`)}
            onDrop={() => setSearch(Object.fromEntries(wrong.map(({ key }) => [key, undefined])))}
          />
        )}
        <MaybeOld list={list} />
        {list.data &&
          rows.length === 0 &&
          (filtered ? <NoMatch onClear={() => setSearch(clearAll(filters))} /> : empty)}
        {rows.length > 0 && (
          <DataTable<T>
            aria-label={label}
            records={rows}
            columns={shown}
            highlightOnHover={Boolean(href || onOpen)}
            verticalSpacing={8}
            horizontalSpacing="md"
            borderColor="var(--line)"
            rowBorderColor="var(--line-soft)"
            onRowClick={({ record, event }) => {
              if (!isInteractive(event.target)) open(record)
            }}
            customRowAttributes={(_row, index) => ({
              'data-row': index,
              'data-current': index === keys.current,
            })}
            sortStatus={{ columnAccessor: sorted?.key ?? '', direction: sort.startsWith('-') ? 'desc' : 'asc' }}
            onSortStatusChange={({ columnAccessor, direction }) => {
              const field = columns.find(({ key }) => key === columnAccessor)?.sort
              if (field) setSearch({ sort: direction === 'desc' ? `-${field}` : field })
            }}
            {...(bulk && {
              selectedRecords: selected,
              onSelectedRecordsChange: setChosen,
              ...(selectable && {
                isRecordSelectable: selectable.when,
                getRecordSelectionCheckboxProps: (row: T, index: number) =>
                  selectable.when(row)
                    ? { 'aria-label': `Select record ${index + 1}` }
                    : { 'aria-label': selectable.otherwise, title: selectable.otherwise },
              }),
            })}
          />
        )}
      </Paper>
      {rows.length > 0 && (
        <Center className="list-foot">
          <Text size="xs" c="dimmed" aria-live="polite">
            {formatCount(rows.length)} {list.hasNextPage ? 'shown' : rows.length === 1 ? 'row' : 'rows'}
          </Text>
          <LoadMore list={list} />
        </Center>
      )}
    </Stack>
  )
}

const isInteractive = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label') !== null

const ListSkeleton = () => (
  <Stack gap={14} p="md" aria-busy aria-label="Loading">
    {['92%', '78%', '86%', '70%', '88%', '74%', '82%', '66%'].map((width) => (
      <Skeleton key={width} height={14} width={width} radius="sm" />
    ))}
  </Stack>
)

/** Long enough to be known again, short enough for a phone. */
const SHOWN = 60

// Any search is understood, but for its length.
const saidOf = (key: string, value: string): string =>
  `“${value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value}”${key === 'q' ? ', which is too long' : ''}`

/** An address typed or kept from elsewhere asks for what this list does not know. */
const WrongAddress = ({ parts, onDrop }: { parts: string[]; onDrop: () => void }) => (
  <EmptyState
    title="The address asks for something that this list does not know"
    action={
      <Button variant="default" size="xs" onClick={onDrop}>
        {parts.length === 1 ? 'Show without it' : 'Show without them'}
      </Button>
    }
  >
    <span className="wrong-address">{parts.join(', ')}</span>
  </EmptyState>
)

const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    title="Nothing matches"
    action={
      <Button variant="default" size="xs" onClick={onClear}>
        Clear search and filters
      </Button>
    }
  >
    No row fits this search and these filters.
  </EmptyState>
)
