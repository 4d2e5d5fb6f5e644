import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type Widths = Readonly<Record<string, number>>

type WidthsInput = {
  /** Changes with the columns; the widths of other columns are measured anew. */
  columns: string
  /** Changes when the rows are those of another search or filter. */
  rows: string
  /** Changes when other rows are drawn. */
  drawn: string
  /** The widths that the reader chose. */
  chosen: Widths
}

/** `rows` is null when the drawn rows need other widths. */
type Kept = { columns: string; rows: string | null; widths: Widths }

/**
 * Returns the widths of a table's columns. They stay as the browser measured them with the first rows, so that neither
 * rows that are drawn later nor values that load late move a column under the pointer. A column becomes wider for an
 * amount that it would cut, and for the rows of another search; it never becomes narrower. `isKept` is false while the
 * browser measures.
 */
export function useKeptWidths({ columns, rows, drawn, chosen }: WidthsInput) {
  const table = useRef<HTMLTableElement>(null)
  const [kept, setKept] = useState<Kept | null>(null)
  const known = kept?.columns === columns ? kept : null
  const isKept = known?.rows === rows
  useLayoutEffect(() => {
    if (!isKept) setKept({ columns, rows, widths: measure(table.current) })
  }, [columns, rows, isKept])
  // Each set of rows is checked only once: a column that cannot become wider would be measured without end.
  const looked = useRef('')
  useLayoutEffect(() => {
    if (!isKept || looked.current === drawn) return
    looked.current = drawn
    if (cutsAmount(table.current, chosen)) setKept((now) => now && { ...now, rows: null })
  }, [isKept, drawn, chosen])
  useEffect(() => onNewWidth(table.current?.parentElement, () => setKept(null)), [])
  return { table, widths: known?.widths, isKept }
}

const readHeadings = (table: HTMLTableElement | null): HTMLElement[] => [
  ...(table?.querySelectorAll<HTMLElement>('thead th[data-key]') ?? []),
]

const measure = (table: HTMLTableElement | null): Widths =>
  Object.fromEntries(readHeadings(table).map((head) => [head.dataset.key, head.getBoundingClientRect().width]))

/** Whether a column cuts an amount, except one that the reader made that narrow. */
function cutsAmount(table: HTMLTableElement | null, chosen: Widths): boolean {
  const narrow = readHeadings(table).filter(({ dataset }) => Object.hasOwn(chosen, dataset.key ?? ''))
  const places = new Set(narrow.map((head) => [...(head.parentElement?.children ?? [])].indexOf(head)))
  const amounts = [
    ...(table?.querySelectorAll<HTMLTableCellElement>('tbody td[data-align=right]:not([data-acts])') ?? []),
  ]
  return amounts.some((cell) => !places.has(cell.cellIndex) && cell.scrollWidth > cell.clientWidth)
}

/** Calls `change` when the space around a table has another width, until the returned function is called. */
function onNewWidth(room: Element | null | undefined, change: () => void): () => void {
  let width = room?.clientWidth
  const watch = new ResizeObserver(() => {
    if (room?.clientWidth !== width) change()
    width = room?.clientWidth
  })
  if (room) watch.observe(room)
  return () => watch.disconnect()
}
