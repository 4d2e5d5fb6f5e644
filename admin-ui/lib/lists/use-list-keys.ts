import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useRef, useState } from 'react'
import { countDialogs } from '../screen/dialog-keys.ts'

type ListKeys = {
  /** The element that contains the rows. */
  ref: RefObject<HTMLDivElement | null>
  current: number
  first: () => void
  /** Moves the mark to a row. */
  mark: (index: number) => void
}

/**
 * Moves a mark through the rows by up and down (or K and J), opens the marked one by Enter, chooses it by X or
 * Space, and shows it beside the list by P, or by Space where rows cannot be chosen. Keys typed into fields and buttons
 * are left alone, and all keys while a dialog is open.
 */
export const useListKeys = <T>(
  rows: readonly T[],
  does: {
    open: (row: T) => void
    choose?: (row: T, index: number) => void
    peek?: (row: T) => void
    reveal: (index: number) => void
  },
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
    const act = does.choose ? choose : does.peek && peek
    if (!rows[current] || !act || isOnButton()) return
    event.preventDefault()
    act()
  }
  const choose = (): void => {
    const row = rows[current]
    if (row) does.choose?.(row, current)
  }
  const peek = (): void => {
    const row = rows[current]
    if (row) does.peek?.(row)
  }
  const [down, up] = [() => go(current + 1), () => go(current - 1)]
  const onPage =
    (act: (event: KeyboardEvent) => void) =>
    (event: KeyboardEvent): void => {
      if (countDialogs() === 0) act(event)
    }
  useHotkeys([
    ['ArrowDown', onPage(down)],
    ['ArrowUp', onPage(up)],
    ['J', onPage(down)],
    ['K', onPage(up)],
    ['X', onPage(choose)],
    ['P', onPage(peek)],
    ['Space', onPage(space), { preventDefault: false }],
    ['Enter', onPage(enter), { preventDefault: false }],
  ])
  return { ref, current, first: () => go(0), mark: go }
}
