import { Checkbox } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useWindow } from '../../lib/lists/list-window.ts'
import { say } from '../../lib/text/words.ts'
import type { Column } from './list-column.ts'
import type { Choosing } from './row-selection.ts'

/** The height of a card in pixels; the stylesheet has the same one. */
const CARD = 62

type ListCardsProps<T extends { id: string }> = {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  choosing: Choosing<T> | null
  onOpen: ((row: T) => void) | null
  cell: (column: Column<T>, row: T, index: number) => ReactNode
}

const toCard = <T,>({ renderCard, ...column }: Column<T>): Column<T> =>
  renderCard ? { ...column, render: renderCard } : column

/**
 * Draws the rows of a list on a phone: the name and the amount on the first line, the state and the rest on the second.
 * The first column is the name; the first right-aligned one is the amount.
 */
export function ListCards<T extends { id: string }>({
  label,
  columns,
  rows,
  choosing,
  onOpen,
  cell,
}: ListCardsProps<T>) {
  const body = useRef<HTMLUListElement>(null)
  const { first, last } = useWindow({ count: rows.length, rowHeight: CARD, body, scroller: null })
  const [name, ...others] = columns.map(toCard)
  const amount = others.find(({ align }) => align === 'right')
  const rest = others.filter((column) => column !== amount && (!column.wide || column.card))
  if (!name) return null
  return (
    <ul
      ref={body}
      className="cards"
      aria-label={label}
      style={{ paddingBlock: `${first * CARD}px ${(rows.length - last) * CARD}px` }}
    >
      {rows.slice(first, last).map((row, offset) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the link or button in the card is for the keyboard
        <li
          key={row.id}
          className="list-card"
          data-row={first + offset}
          data-chosen={choosing?.has(row) || undefined}
          onClick={(event) => {
            const target = event.target
            if (onOpen && target instanceof Element && !target.closest('a, button, input, label')) onOpen(row)
          }}
        >
          {choosing && (
            <Checkbox
              {...choosing.labelTickBox(row)}
              checked={choosing.has(row)}
              onChange={() => choosing.toggle(row, first + offset, false)}
            />
          )}
          <div className="card-lines">
            <div className="card-line">
              <span className="card-name">{cell(name, row, 0)}</span>
              {amount && <span className="card-amount">{cell(amount, row, 1)}</span>}
            </div>
            <div className="card-line card-rest">
              {rest.map((column) => (
                <span key={column.key} data-title={column.title || say('lists.actions')}>
                  {cell(column, row, 1)}
                </span>
              ))}
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
