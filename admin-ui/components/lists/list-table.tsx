import { Checkbox } from '@mantine/core'
import { memo, type ReactNode, type RefObject, useRef } from 'react'
import type { ListLook } from '../../lib/lists/list-look.ts'
import { useWindow } from '../../lib/lists/list-window.ts'
import { say } from '../../lib/text/words.ts'
import { useKeptWidths } from './kept-widths.ts'
import { type Column, holdsButtons } from './list-column.ts'
import { useFitToPaper } from './paper-columns.ts'
import type { Choosing, TickBox } from './row-selection.ts'
import { SortHead, type Sorting } from './sort-head.tsx'

/** The heights of a row in pixels; the stylesheet has the same ones. */
const ROW = 36
const DENSE_ROW = 28

/** With more columns than this, each leaves room for the others. */
const MANY = 8

/** Returns the height of a row of a list in pixels. */
export const getRowHeight = ({ dense }: { dense: boolean }): number => (dense ? DENSE_ROW : ROW)

export type ListTableProps<T extends { id: string }> = {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** The number of rows in all, if it is known. */
  total: number | undefined
  look: ListLook
  sorting: Sorting | null
  choosing: Choosing<T> | null
  /** The row with the mark of the arrow keys. */
  current: number
  onOpen: ((row: T) => void) | null
  /** The element that scrolls the rows; the page if it is null. */
  scroller: RefObject<HTMLElement | null> | null
  /** Changes when the rows belong to another search or filter, and so may need wider columns. */
  listKey: string
  cell: (column: Column<T>, row: T, index: number) => ReactNode
}

/** Draws the rows of a list as a table of fixed row heights, of which only those near the screen are drawn. */
export function ListTable<T extends { id: string }>(props: ListTableProps<T>) {
  const { label, columns, rows, total, look, choosing, current, scroller, listKey, onOpen, cell } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const rowHeight = getRowHeight(look)
  const { first, last } = useWindow({ count: rows.length, rowHeight, body, scroller })
  const { table, widths, isKept } = useKeptWidths({
    columns: `${columns.map(({ key }) => key)} ${look.dense}`,
    rows: listKey,
    drawn: `${first} ${last} ${rows.length}`,
    chosen: look.widths,
  })
  useFitToPaper(table)
  const span = columns.length + (choosing ? 1 : 0)
  return (
    <table
      ref={table}
      className="rows"
      aria-label={label}
      aria-rowcount={(total ?? rows.length) + 1}
      data-dense={look.dense || undefined}
      data-many={columns.length > MANY || undefined}
      data-measured={isKept || undefined}
    >
      <colgroup>
        {choosing && <col className="rows-choose" />}
        {columns.map(({ key, width }) => (
          <col key={key} style={{ width: look.widths[key] ?? widths?.[key] ?? width }} />
        ))}
      </colgroup>
      <Heads of={props} />
      {/* biome-ignore lint/a11y/useKeyWithMouseEvents: the text is cut only visually; screen readers get all of it */}
      <tbody ref={body} onMouseOver={tellWhole}>
        <Spacer span={span} height={first * rowHeight} />
        {rows.slice(first, last).map((row, offset) => (
          <Row
            key={row.id}
            {...{ row, columns, onOpen, cell }}
            index={first + offset}
            isCurrent={first + offset === current}
            isChosen={choosing?.has(row) ?? false}
            name={choosing?.labelTickBox}
            toggle={choosing?.toggle}
          />
        ))}
        <Spacer span={span} height={(rows.length - last) * rowHeight} />
      </tbody>
    </table>
  )
}

type HeadsProps<T extends { id: string }> = {
  of: Pick<ListTableProps<T>, 'columns' | 'choosing' | 'sorting' | 'look'>
}

/** Draws the titles of the columns, which sort the rows, and whose edges change the widths. */
const Heads = <T extends { id: string }>({ of }: HeadsProps<T>) => {
  const { columns, choosing, sorting, look } = of
  return (
    <thead>
      <tr>
        {choosing && (
          <th className="rows-choose">
            <Checkbox
              size="xs"
              aria-label={say('lists.select_all')}
              checked={choosing.all}
              indeterminate={choosing.some && !choosing.all}
              onChange={choosing.toggleAll}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.key}
            data-key={column.key}
            data-align={column.align}
            data-acts={holdsButtons(column) || undefined}
            // a crowded table would take the room of values that load late
            style={{ minWidth: column.width }}
            aria-sort={sorting?.of(column)}
          >
            <SortHead column={column} sorting={sorting} />
            {!holdsButtons(column) && <WidthHandle onResize={(pixels) => look.resize(column.key, pixels)} />}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type RowProps<T extends { id: string }> = Pick<ListTableProps<T>, 'columns' | 'onOpen' | 'cell'> & {
  row: T
  /** The place in the list, from 0. */
  index: number
  /** Whether it has the mark of the arrow keys. */
  isCurrent: boolean
  isChosen: boolean
  /** Absent if rows cannot be chosen. */
  name: TickBox<T>['labelTickBox'] | undefined
  toggle: TickBox<T>['toggle'] | undefined
}

function PlainRow<T extends { id: string }>(props: RowProps<T>) {
  const { row, columns, onOpen, cell, index, isCurrent, isChosen, name, toggle } = props
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      data-current={isCurrent || undefined}
      data-chosen={isChosen || undefined}
      data-opens={onOpen ? true : undefined}
      onClick={(event) => {
        if (onOpen && !isInteractive(event.target)) onOpen(row)
      }}
    >
      {name && (
        <td className="rows-choose">
          <Checkbox
            size="xs"
            {...name(row)}
            checked={isChosen}
            onChange={(event) => toggle?.(row, index, isWithShift(event.nativeEvent))}
          />
        </td>
      )}
      {columns.map((column, place) => (
        <td key={column.key} data-align={column.align} data-acts={holdsButtons(column) || undefined}>
          {cell(column, row, place)}
        </td>
      ))}
    </tr>
  )
}

/**
 * Draws one row: a click anywhere in it that is not on a control opens it. It is memoized: without that, scrolling and
 * the arrival of rows would draw some sixty rows again, which takes longer than a frame.
 */
const Row = memo(PlainRow) as typeof PlainRow

const isInteractive = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label') !== null

const isWithShift = (event: Event): boolean => event instanceof MouseEvent && event.shiftKey

/** Takes the place of the rows that are not drawn. */
const Spacer = ({ span, height }: { span: number; height: number }) =>
  height > 0 ? (
    <tr aria-hidden className="rows-spacer">
      <td colSpan={span} style={{ height }} />
    </tr>
  ) : null

/** Shows the whole text of a cut cell while the pointer is on it. */
function tellWhole({ target }: { target: EventTarget }): void {
  const cell = target instanceof Element ? target.closest('td') : null
  if (!cell) return
  const cut = [cell, ...cell.querySelectorAll('*')].some((part) => part.scrollWidth > part.clientWidth + 1)
  if (cut) cell.title = cell.textContent ?? ''
  else cell.removeAttribute('title')
}

type WidthHandleProps = { onResize: (pixels: number) => void }

/** The right edge of a head, which the pointer drags to make its column wider. */
const WidthHandle = ({ onResize }: WidthHandleProps) => (
  <span
    aria-hidden
    className="rows-width"
    onPointerDown={(event) => {
      const handle = event.currentTarget
      const begin = event.clientX
      const before = handle.parentElement?.getBoundingClientRect().width ?? 0
      event.preventDefault()
      handle.setPointerCapture(event.pointerId)
      const move = (moved: PointerEvent): void => onResize(before + moved.clientX - begin)
      handle.addEventListener('pointermove', move)
      handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true })
    }}
  />
)
