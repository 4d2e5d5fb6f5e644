import { Button, Paper, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { say } from '../../src/words/say.ts'
import type { Page, Query } from '../api.ts'
import { clearAll, type Filter, isNarrowed, isOneCurrency, listQuery, notUnderstood } from '../lib/filters.ts'
import { noteAct, useHeldRows } from '../lib/held-rows.ts'
import { inOrder, useListLook } from '../lib/list-look.ts'
import { addressOfList, beginQueue } from '../lib/queue.ts'
import { useRoomBelow } from '../lib/room-below.ts'
import { useListViews } from '../lib/saved-views.ts'
import { type SearchParams, useSearchParams } from '../lib/search-params.ts'
import { useListKeys } from '../lib/use-list-keys.ts'
import { usePhone } from '../lib/use-phone.ts'
import { useStart } from '../lib/use-start.ts'
import { type Choosing, useChoosing } from './choosing.ts'
import { ErrorState } from './error-state.tsx'
import { ListCards } from './list-cards.tsx'
import type { Column } from './list-column.ts'
import { ListSkeleton, NoMatch, WrongAddress, wrongPart } from './list-empty.tsx'
import { askedTotals, type Counted, ListFoot, type Totals } from './list-foot.tsx'
import { MaybeOld } from './list-rest.tsx'
import { ListTable, rowHeightOf } from './list-table.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { ListViewsMenu } from './list-views.tsx'
import { RowLink } from './row-link.tsx'
import { type Selectable, stillChosen } from './selection.ts'
import { sortingOf } from './sort-head.tsx'

export type { Column } from './list-column.ts'

export type DataListProps<T extends { id: string }> = {
  /** Names the list: its cache key and where its saved columns live. */
  id: string
  /** What the rows are, for assistive technology: "Deposits". */
  label: string
  fetch: (query: Query) => Promise<Page<T> & Totals>
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
  /** What a row is called where it is chosen; its first cell's words are what people see. */
  rowName?: (row: T) => string
  refetchEvery?: number
  /** No search, filters and columns: a short list inside another page. */
  plain?: boolean
  /** Whether the foot has how many rows there are in all, and what they come to. */
  counted?: Counted
  /** The order of the list where nobody asked for another one. */
  usualSort?: string
  /** Stands at the end of the toolbar, say a file of the list. */
  tools?: ReactNode
}

/** So many rows before the end of those that are there the next ones are read. */
const READ_AHEAD = 15
/** Room below the rows of a list that fills the window, for its foot. */
const FOOT = 60

/** A list bound to a cursor-paged endpoint, with its filters and order in the address. */
export const DataList = <T extends { id: string }>(props: DataListProps<T>) => {
  const { id, label, fetch, columns, filters = [], fixed, href, onOpen, within, plain = false, bulk } = props
  const { selectable, usualSort } = props
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const look = useListLook(within ? `${id}-${within[0]}` : id, columns)
  // A search has an order of its own: what fits best.
  const usual = usualSort !== undefined && !search.q ? { sort: usualSort } : {}
  const query = { ...usual, ...(plain ? {} : listQuery(search, filters)), ...fixed }
  const queryKey = [id, ...(within ?? ['list']), query]
  const asked = JSON.stringify(queryKey)
  // On a phone, and as a part of another page, the page scrolls; elsewhere the list fills the window.
  const isPage = !plain && !within && !fixed
  const isPhone = usePhone()
  const fills = isPage && !isPhone

  const saved = useListViews({ list: id, filters, look, on: isPage })

  const [chosen, setChosen] = useState<T[]>([])
  // Another search, filter or order is another list: nobody acts on rows that are no longer before them.
  const [chosenFor, setChosenFor] = useState(asked)
  if (chosenFor !== asked) {
    setChosenFor(asked)
    setChosen([])
  }

  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      fetch({ limit: 50, ...query, cursor: pageParam, ...(pageParam === '' && askedTotals(props.counted)) }),
    initialPageParam: '',
    enabled: saved.isReady,
    getNextPageParam: (page: Page<T>) => page.nextCursor,
    placeholderData: (previous) => previous,
    ...(props.refetchEvery !== undefined && { refetchInterval: props.refetchEvery }),
  })
  const pages = list.data?.pages ?? []
  const totals = pages[0]
  const fresh = pages.flatMap((page) => page.data)
  const held = useHeldRows(fresh, `${asked} ${pages.length} ${list.isPlaceholderData}`)
  const { rows } = held
  const selected = stillChosen(rows, chosen, selectable)

  const scroller = useRef<HTMLDivElement>(null)
  const room = useRoomBelow(scroller, FOOT, fills && rows.length > 0)
  const opens = Boolean(href || onOpen)
  const open = (row: T): void => {
    if (!href) {
      onOpen?.(row)
      return
    }
    remember()
    void navigate({ to: href(row) })
  }
  const remember = (): void => {
    if (href && !within)
      beginQueue({
        list: addressOfList(path, { ...search, start: undefined }),
        hrefs: rows.map(href),
        total: list.hasNextPage ? (totals?.totalIsMinimum ? null : (totals?.total ?? null)) : rows.length,
      })
  }
  // Who goes to work on a queue begins with its first record: the list itself is one step back.
  useStart(search.start !== undefined && isPage && list.isSuccess && !list.isPlaceholderData, () => {
    const [row] = rows
    if (!row || !href) return setSearch({ start: undefined })
    remember()
    void navigate({ to: href(row), replace: true })
  })
  const choosing = useChoosing({
    rows,
    chosen: selected,
    set: setChosen,
    selectable,
    nameOf: props.rowName ?? (({ id: key }) => key),
  })
  // A list inside another page leaves the arrow keys to the page.
  const keys = useListKeys(plain ? [] : rows, {
    open,
    reveal: (index) => reveal(scroller.current, index, rowHeightOf(look)),
    ...(bulk && { choose: (row: T, index: number) => choosing.toggle(row, index, false) }),
  })

  const cell = (column: Column<T>, row: T, index: number): ReactNode =>
    index === 0 && opens ? (
      <RowLink {...(href && { to: href(row), onFollow: remember })} onOpen={() => open(row)}>
        {column.render(row)}
      </RowLink>
    ) : (
      column.render(row)
    )
  const shown = inOrder(columns, look.order)
    .filter(({ key }) => !look.hidden.includes(key))
    .map((column) => sortable(column, search))
  const wrong = plain ? [] : notUnderstood(list.error, search, filters)
  const ticks: Choosing<T> | null = bulk ? choosing : null

  return (
    <Stack gap="sm">
      {!plain && (
        <ListToolbar
          filters={filters}
          columns={columns}
          look={look}
          fetching={list.isFetching}
          onRefresh={() => {
            noteAct()
            void list.refetch()
          }}
          onLeave={keys.first}
          {...(props.searchPlaceholder && { searchPlaceholder: props.searchPlaceholder })}
        >
          {saved.isOn && <ListViewsMenu of={saved} />}
          {props.tools}
        </ListToolbar>
      )}
      {bulk && selected.length > 0 && (
        <Paper className="bulk">
          <Text size="sm" fw={500}>
            {say('lists.selected', { count: selected.length })}
          </Text>
          {bulk(selected, () => setChosen([]))}
          <Button size="xs" variant="subtle" color="gray" onClick={() => setChosen([])}>
            {say('lists.clear_selection')}
          </Button>
        </Paper>
      )}
      <Paper className="list" ref={keys.ref} data-fills={fills || undefined} {...held.on}>
        {list.isPending && <ListSkeleton />}
        {list.isLoadingError && wrong.length === 0 && (
          <ErrorState error={list.error} retry={() => void list.refetch()} />
        )}
        {list.isLoadingError && wrong.length > 0 && (
          <WrongAddress
            parts={wrong.map((part) => wrongPart(part, search[part.key] ?? ''))}
            onDrop={() => setSearch(Object.fromEntries(wrong.map(({ key }) => [key, undefined])))}
          />
        )}
        <MaybeOld list={list} />
        {list.data &&
          rows.length === 0 &&
          (!plain && isNarrowed(search, filters) ? (
            <NoMatch onClear={() => setSearch(clearAll(filters))} />
          ) : (
            props.empty
          ))}
        {rows.length > 0 && (
          <div
            ref={scroller}
            className="list-scroller"
            data-scroll-restoration-id={`list-${id}`}
            style={{ maxHeight: room }}
          >
            {isPhone ? (
              <ListCards
                label={label}
                columns={shown}
                rows={rows}
                choosing={ticks}
                onOpen={opens ? open : null}
                cell={cell}
              />
            ) : (
              <ListTable
                label={label}
                columns={shown}
                rows={rows}
                total={totals?.total}
                look={look}
                sorting={
                  plain ? null : sortingOf(search.sort, usualSort ?? '-createdAt', (sort) => setSearch({ sort }))
                }
                choosing={ticks}
                current={keys.current}
                onOpen={opens ? open : null}
                scroller={fills ? scroller : null}
                asked={list.isPlaceholderData ? '' : asked}
                cell={cell}
              />
            )}
            <NearEnd
              key={pages.length}
              on={list.hasNextPage && !list.isFetching && !list.isError}
              onReach={() => void list.fetchNextPage()}
            />
          </div>
        )}
        {rows.length > 0 && <ListFoot shown={rows.length} totals={totals} list={list} />}
      </Paper>
    </Stack>
  )
}

/** A column that sorts by amount does so within one currency alone. */
function sortable<T>(column: Column<T>, search: SearchParams): Column<T> {
  if (column.sort !== 'amount' || isOneCurrency(search)) return column
  const { sort: _, ...rest } = column
  return rest
}

/** Brings a row into view; it need not be drawn yet. */
function reveal(scroller: HTMLElement | null, index: number, height: number): void {
  const drawn = scroller?.querySelector(`[data-row="${index}"]`)
  if (drawn) drawn.scrollIntoView({ block: 'nearest' })
  else scroller?.scrollTo({ top: index * height })
}

/** Calls when the reader has scrolled near to the end of the rows. */
const NearEnd = ({ on, onReach }: { on: boolean; onReach: () => void }) => {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!on || !mark.current) return
    const watch = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && onReach(), {
      root: mark.current.closest('.list[data-fills] > .list-scroller'),
      rootMargin: `${READ_AHEAD * 36}px`,
    })
    watch.observe(mark.current)
    return () => watch.disconnect()
  })
  return <div ref={mark} className="list-end" />
}
