import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useRef, useState } from 'react'

type ListKeys = {
  ref: RefObject<HTMLDivElement | null>
  current: number
  first: () => void
}

/**
 * Up and down move a mark through the rows, Enter opens the marked one. Keys typed into fields and buttons stay theirs.
 */
export const useListKeys = <T>(rows: readonly T[], open: (row: T) => void): ListKeys => {
  const ref = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(-1)

  const go = (index: number): void => {
    if (rows.length === 0) return
    const next = Math.min(Math.max(index, 0), rows.length - 1)
    setCurrent(next)
    ref.current?.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const enter = (event: KeyboardEvent): void => {
    const row = rows[current]
    const focused = document.activeElement
    if (!row || (focused && focused !== document.body && focused.matches('a, button, [role="button"]'))) return
    event.preventDefault()
    open(row)
  }

  useHotkeys([
    ['ArrowDown', () => go(current + 1)],
    ['ArrowUp', () => go(current - 1)],
    ['Enter', enter, { preventDefault: false }],
  ])
  return { ref, current, first: () => go(0) }
}
