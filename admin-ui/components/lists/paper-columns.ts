import { type RefObject, useLayoutEffect } from 'react'
import { usePrinting } from '../../lib/screen/use-printing.ts'

/** Up to so many characters a column keeps on one line, and a text without blanks such as an address or reference. */
const SHORT = 28
const SHORT_WORD = 44
/** The printed width of a character and of the gap beside a column, and of an upright page, in points. */
const CHARACTER = 4.5
const GAP = 6
const UPRIGHT = 527

const BUTTONS = '.mantine-Button-root, .mantine-ActionIcon-root'

/** Returns what a cell says on paper, where there are no buttons. */
function readCell(cell: Element): string {
  const buttons = [...cell.querySelectorAll(BUTTONS)].reduce((sum, { textContent }) => sum + textContent.length, 0)
  const text = cell.textContent.trim()
  return buttons >= text.length || /^[—–]$/.test(text) ? '' : text
}

const isShort = (text: string): boolean => text.length <= (/\s/.test(text) ? SHORT : SHORT_WORD)

/** Marks the columns of a table that are empty or short, and a table that has no room on an upright page. */
function fitToPaper(table: HTMLTableElement): void {
  const [head, ...rows] = [...table.rows].filter((row) => !row.classList.contains('rows-spacer'))
  let width = 0
  for (const [at, title] of [...(head?.cells ?? [])].entries()) {
    const cells = rows.flatMap((row) => row.cells[at] ?? [])
    const texts = cells.map(readCell)
    const longest = Math.max(0, ...texts.map((text) => text.length))
    const kind = longest === 0 ? 'empty' : texts.every(isShort) ? 'short' : 'long'
    for (const cell of [title, ...cells]) cell.dataset.paper = kind
    if (kind !== 'empty') {
      const shown = kind === 'short' ? longest : SHORT
      width += Math.max(shown, title.textContent.length) * CHARACTER + GAP
    }
  }
  table.dataset.paper = width > UPRIGHT ? 'wide' : 'upright'
}

/** Fits a list to the paper when it is printed: print.css leaves out its empty columns and breaks no short text. */
export function useFitToPaper(table: RefObject<HTMLTableElement | null>): void {
  const isPrinted = usePrinting()
  useLayoutEffect(() => {
    if (isPrinted && table.current) fitToPaper(table.current)
  })
}
