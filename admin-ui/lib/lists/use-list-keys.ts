import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useRef, useState } from 'react'

type ListKeys = {
  /** The element that contains the rows. */
  ref: RefObject<HTMLDivElement | null>
  current: number
  first: () => void
}

/**
 * Moves a mark through the rows by up and down (or K and J), opens the marked one by Enter, and chooses it by X or
 * Space. Keys typed into fields and buttons are left alone.
 */
export const useListKeys = <T>(
  rows: readonly T[],
  does: { open: (row: T) => void; choose?: (row: T, index: number) => void; reveal: (index: number) => void },
): ListKeys => {
  const ref = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(-1)

  const go = (index: number): void => {
    if (rows.length === 0) return
    const next = Math.min(Math.max(index, 0), rows.length - 1)
    setCurrent(next)
    does.reveal(next)
  }
  const enter = (event: KeyboardEvent): void => {
    const row = rows[current]
    const focused = document.activeElement
    if (!row || (focused && focused !== document.body && focused.matches('a, button, [role="button"]'))) return
    event.preventDefault()
    does.open(row)
  }
  const isOnButton = (): boolean => document.activeElement?.matches('a, button, summary, [role="button"]') ?? false
  // Space presses a button that has the focus, and scrolls if no row is marked.
  const space = (event: KeyboardEvent): void => {
    if (!rows[current] || !does.choose || isOnButton()) return
    event.preventDefault()
    choose()
  }
  const choose = (): void => {
    const row = rows[current]
    if (row) does.choose?.(row, current)
  }
  const [down, up] = [() => go(current + 1), () => go(current - 1)]
  useHotkeys([
    ['ArrowDown', down],
    ['ArrowUp', up],
    ['J', down],
    ['K', up],
    ['X', choose],
    ['Space', space, { preventDefault: false }],
    ['Enter', enter, { preventDefault: false }],
  ])
  return { ref, current, first: () => go(0) }
}
