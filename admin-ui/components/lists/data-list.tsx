import { Paper, Stack } from '@mantine/core'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import type { Page, Query } from '../../api.ts'
import { type Filter, isOneCurrency, listQuery } from '../../lib/lists/filters.ts'
import { inOrder, type ListLook, useListLook } from '../../lib/lists/list-look.ts'
import { type ListName, useListViews } from '../../lib/lists/saved-views.ts'
import { type SearchParams, useSearchParams } from '../../lib/lists/search-params.ts'
import { useListKeys } from '../../lib/lists/use-list-keys.ts'
import { usePhone } from '../../lib/screen/use-phone.ts'
import { say } from '../../lib/text/words.ts'
import { PrintButton } from '../page/print-button.tsx'
import { MOST_CHOSEN, useChooseMore } from './choose-more.ts'
import { type ListAct, ListActs, type Settle, toRowKeys } from './list-acts.tsx'
import { type BesideProps, BesideRow, useBesideId } from './list-beside.tsx'
import { ListBulk } from './list-bulk.tsx'
import type { Column } from './list-column.ts'
import { type FileId, ListFile } from './list-file.tsx'
import type { Counted, Totals } from './list-foot.tsx'
import { useOpening } from './list-opening.ts'
import { type ListReading, useListQuery } from './list-query.ts'
import { ListRows, reveal } from './list-rows.tsx'
import { ListState } from './list-state.tsx'
import { getRowHeight } from './list-table.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { ListViewsMenu } from './list-views.tsx'
import { OtherStatus } from './other-status.tsx'
import { RowLink, RowPeek } from './row-link.tsx'
import { useChoosing, useChosen } from './row-selection.ts'
import type { Selectable } from './selectable.ts'
import { SortBy } from './sort-by.tsx'
import { type Sorting, toSorting } from './sort-head.tsx'

export type { Column } from './list-column.ts'

export type DataListProps<T extends { id: string }> = BesideProps<T> & {
  /** Names the list: its cache key, the key of its stored columns, and its views on the server. */
  id: ListName
  fetch: (query: Query) => Promise<Page<T> & Totals>
  /** The kind and record that these rows are a part of, such as the deliveries of a webhook. */
  within?: readonly [kind: string, id: string]
  columns: readonly Column<T>[]
  filters?: readonly Filter[]
  searchPlaceholder?: string
  /** Parameters that always apply, such as the trader whose deposits these are. */
  fixed?: Query
  /** Opens a row in another way, if it has no page of its own. */
  onOpen?: (row: T) => void
  empty: ReactNode
  /** Replaces the rows if the list opens on a status that no row has, although there are others. */
  nothingWaits?: ReactNode
  /** The acts on the chosen rows, or by their keys on the marked one. Without them no rows can be chosen. */
  acts?: readonly ListAct<T>[]
  /** The most rows that these buttons take at once. */
  bulkMost?: number
  /** Which rows can be chosen; by default all. */
  selectable?: Selectable<T>
  /** Returns a row's name for its checkbox; people see the text of its first cell. */
  rowName?: (row: T) => string
  refetchEvery?: number
  /** Omits search, filters and columns, for a short list inside another page. */
  plain?: boolean
  /** Whether the foot shows the number of rows in all, and their sums. */
  counted?: Counted
  /** Names the column that the foot adds up, in a list with several columns of money. */
  sumOf?: string
  /** The order of the list if the reader chose no other. */
  usualSort?: string
  /** The operation that returns the list as a file, for managers. */
  file?: FileId
}

/**
 * Returns the query of a list: from the page's address, unless the list is plain, and the parameters that always apply.
 */
function useAsked<T extends { id: string }>({ id, within, plain, filters, fixed, usualSort }: DataListProps<T>) {
  const [search] = useSearchParams()
  // A search has its own order: the best matches first.
  const usual = usualSort !== undefined && !search.q ? { sort: usualSort } : {}
  const query: Query = { ...usual, ...(plain ? {} : listQuery(search, filters ?? [])), ...fixed }
  const queryKey = [id, ...(within ?? ['list']), query]
  return { query, queryKey, listKey: JSON.stringify(queryKey) }
}

const isOwnPage = <T extends { id: string }>({ plain, within, fixed }: DataListProps<T>): boolean =>
  !plain && !within && !fixed

/** Draws a list of a cursor-paged endpoint, with its filters and order in the address. */
export const DataList = <T extends { id: string }>(props: DataListProps<T>) => {
  const { id, label, columns, filters = [], href, within, plain = false, acts, peek } = props
  const [search, setSearch] = useSearchParams()
  const isPhone = usePhone()
  const look = useListLook(within ? `${id}-${within[0]}` : id, columns, isPhone)
  const { query, queryKey, listKey } = useAsked(props)
  const isPage = isOwnPage(props)
  // On a phone, and as a part of another page, the page scrolls; elsewhere the list fills the window.
  const fills = !isPhone && isPage
  const saved = useListViews({ list: id, filters, look, on: isPage })
  const read = useListQuery({ queryKey, listKey, query, ...props, isShown: saved.isReady })
  const { list, rows } = read
  const { id: besideId, show } = useBesideId(props)
  const lookAt = useCallback((row: T): void => show(row.id), [show])
  const { opens, open, buildLink } = useOpening({
    rows,
    href,
    onOpen: props.onOpen ?? (props.beside || props.besideAt ? lookAt : undefined),
    isQueue: !within,
    total: read.total,
    mayStart: isPage && list.isSuccess && !list.isPlaceholderData,
  })
  const selection = useSelection(props, read, listKey)
  const { choosing } = selection
  const scroller = useRef<HTMLDivElement>(null)
  // A list inside another page leaves the arrow keys to the page.
  const keys = useListKeys(plain ? null : rows, {
    open: opens ? open : undefined,
    reveal: (index) => reveal(scroller.current, index, getRowHeight(look)),
    ...(acts && { choose: (row: T, index: number) => choosing.toggle(row, index, false), more: toRowKeys(acts) }),
    ...(peek && { peek: lookAt }),
  })
  // a phone has room for the page only
  const cell = useCell({ opens, buildLink, lookAt: peek && !isPhone ? lookAt : null })
  const shown = useShownColumns(columns, look, search)
  const sorting = plain ? null : toSorting(search.sort, props.usualSort ?? '-createdAt', (sort) => setSearch({ sort }))
  return (
    <Stack gap="sm">
      {!plain && <Tools of={props} {...{ look, shown, query, read, saved, sorting }} onLeave={keys.first} />}
      {acts && <ChosenBar of={props} {...{ acts, read, selection }} />}
      <Paper className="list" data-fills={fills || undefined} {...read.hold}>
        <ListState
          {...{ of: props, list, query, isWaiting: !saved.isReady, isEmpty: rows.length === 0 }}
          isPart={read.totals?.totalIsMinimum === true}
          filters={plain ? null : filters}
        />
        {rows.length > 0 && (
          <ListRows
            {...{ id, label, read, look, sorting, fills, scroller, sumOf: props.sumOf }}
            columns={shown}
            choosing={acts ? choosing : null}
            current={keys.current}
            onOpen={opens ? open : null}
            cell={cell}
            listKey={list.isPlaceholderData ? '' : listKey}
          />
        )}
        {!plain && <Others of={props} {...{ query, read }} />}
      </Paper>
      {besideId !== null && <BesideRow id={besideId} of={props} {...{ show, read }} onMove={keys.mark} />}
    </Stack>
  )
}

type CellInput<T> = Pick<ReturnType<typeof useOpening<T>>, 'opens' | 'buildLink'> & {
  lookAt: ((row: T) => void) | null
}

/**
 * Returns the function that draws a cell. The first cell of a row is a link or button that opens the row, with a second
 * button that shows the row beside the list.
 */
const useCell = <T,>({ opens, buildLink, lookAt }: CellInput<T>) =>
  useCallback(
    (column: Column<T>, row: T, index: number): ReactNode =>
      index === 0 && opens ? (
        <>
          <RowLink {...buildLink(row)}>{column.render(row)}</RowLink>
          {lookAt && <RowPeek onClick={() => lookAt(row)} />}
        </>
      ) : (
        column.render(row)
      ),
    [opens, buildLink, lookAt],
  )

type ToolsProps<T extends { id: string }> = {
  of: DataListProps<T>
  look: ListLook
  shown: readonly Column<T>[]
  query: Query
  read: ReturnType<typeof useListQuery<T>>
  saved: ReturnType<typeof useListViews>
  sorting: Sorting | null
  onLeave: () => void
}

/** Draws the tools above the rows: search, filters, columns, saved views and the list as a file. */
const Tools = <T extends { id: string }>({ of, look, shown, query, read, saved, sorting, onLeave }: ToolsProps<T>) => {
  const { columns, filters = [], searchPlaceholder, file } = of
  const [search] = useSearchParams()
  const isPhone = usePhone()
  return (
    <ListToolbar
      {...{ filters, columns, look, searchPlaceholder, onLeave }}
      {...{ fetching: read.list.isFetching, onRefresh: read.refresh }}
    >
      {isPhone && sorting && <SortBy columns={markUnsorted(columns, isOneCurrency(search))} sorting={sorting} />}
      {saved.now && <ListViewsMenu of={{ ...saved, now: saved.now }} />}
      {!isPhone && <PrintButton isSmall />}
      {file && (
        <ListFile
          of={file}
          name={of.id}
          columns={shown}
          {...{ query, filters }}
          isLarge={read.totals?.totalIsMinimum === true}
        />
      )}
    </ListToolbar>
  )
}

type OthersProps<T extends { id: string }> = Pick<ToolsProps<T>, 'of' | 'query' | 'read'>

/** Says how many more rows a search finds with another status than the one on which the list opens. */
const Others = <T extends { id: string }>({ of: { id, filters = [], fetch }, query, read }: OthersProps<T>) => (
  <OtherStatus
    {...{ id, filters, query, fetch }}
    total={read.list.isPlaceholderData ? undefined : read.totals?.total}
  />
)

/** Holds which rows are chosen, also beyond those read so far. */
function useSelection<T extends { id: string }>(of: DataListProps<T>, read: ListReading<T>, listKey: string) {
  const { selectable, rowName, bulkMost = MOST_CHOSEN } = of
  const { rows } = read
  const { chosen, gone, set } = useChosen(listKey, rows, selectable)
  const choosing = useChoosing({ rows, chosen, set, selectable, getName: rowName })
  const more = useChooseMore({ read, listKey, most: bulkMost, chosen, isAll: choosing.all, set, selectable })
  const clear = (): void => {
    more.stop()
    set([])
  }
  const settle: Settle = (results) => {
    more.stop()
    const failed = new Set(results.flatMap(({ id, ok }) => (ok ? [] : [id])))
    set(chosen.filter(({ id }) => failed.has(id)))
  }
  return { chosen, gone, choosing, more, clear, settle }
}

type ChosenBarProps<T extends { id: string }> = {
  of: DataListProps<T>
  acts: readonly ListAct<T>[]
  read: ListReading<T>
  selection: ReturnType<typeof useSelection<T>>
}

/** Draws the actions on the chosen rows. */
const ChosenBar = <T extends { id: string }>({ of, acts, read, selection }: ChosenBarProps<T>) => {
  const { chosen, gone, choosing, more, clear, settle } = selection
  if (chosen.length === 0) return null
  return (
    <ListBulk
      {...{ chosen, gone, more, total: read.total, most: of.bulkMost ?? MOST_CHOSEN, onClear: clear }}
      barred={choosing.all ? choosing.barred : 0}
    >
      <ListActs acts={acts} rows={chosen} settle={settle} />
    </ListBulk>
  )
}

/**
 * Returns the columns in the reader's order. A column of amounts sorts only within one currency. The columns stay the
 * same until they are rearranged, so that present rows are not drawn again with new ones.
 */
function useShownColumns<T>(columns: readonly Column<T>[], { order, hidden }: ListLook, search: SearchParams) {
  const arranged = JSON.stringify([order, hidden])
  const isOne = isOneCurrency(search)
  return useMemo(() => {
    const [order, hidden]: [string[], string[]] = JSON.parse(arranged)
    const shown = inOrder(columns, order).filter(({ key }) => !hidden.includes(key))
    return markUnsorted(shown, isOne)
  }, [columns, arranged, isOne])
}

/** Amounts are sorted only if the list has one currency. */
const markUnsorted = <T,>(columns: readonly Column<T>[], isOne: boolean): readonly Column<T>[] =>
  isOne ? columns : columns.map((column) => (column.sort === 'amount' ? unsorted(column) : column))

const unsorted = <T,>({ sort: _, ...column }: Column<T>): Column<T> => ({
  ...column,
  unsorted: say('lists.sort_one_currency'),
})
