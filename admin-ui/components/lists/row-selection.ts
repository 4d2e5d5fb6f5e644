import { useCallback, useRef, useState } from 'react'
import { useLatest } from '../../lib/screen/use-latest.ts'
import { say } from '../../lib/text/words.ts'
import { type Selectable, stillChosen } from './selectable.ts'

/** Holds which rows of a list are chosen, and the functions that choose them. */
export type Choosing<T> = TickBox<T> & {
  all: boolean
  /** The number of rows that cannot be chosen. */
  barred: number
  some: boolean
  has(row: T): boolean
  toggleAll(): void
}

/**
 * The functions for the checkbox of a row. They are the same ones until other rows can be chosen, so that rows are not
 * redrawn.
 */
export type TickBox<T> = {
  /** Returns the name of a row's checkbox, and whether it can be used. */
  labelTickBox: (row: T) => { 'aria-label': string; disabled?: boolean; title?: string }
  toggle: (row: T, index: number, range: boolean) => void
}

const getId = ({ id }: { id: string }): string => id

/** Chooses rows by checkboxes: one, all, or with Shift all from the last one on. */
export function useChoosing<T extends { id: string }>(parts: {
  rows: readonly T[]
  chosen: readonly T[]
  set: (rows: T[]) => void
  selectable: Selectable<T> | undefined
  getName: ((row: T) => string) | undefined
}): Choosing<T> {
  const { rows, chosen, set, selectable, getName = getId } = parts
  const last = useRef<number | null>(null)
  const ids = new Set(chosen.map(({ id }) => id))
  const can = (row: T): boolean => selectable?.when(row) ?? true
  const possible = rows.filter(can)
  const labelTickBox = useCallback(
    (row: T) =>
      (selectable?.when(row) ?? true)
        ? { 'aria-label': say('lists.select', { row: getName(row) }) }
        : { 'aria-label': selectable?.otherwise ?? '', title: selectable?.otherwise ?? '', disabled: true },
    [selectable, getName],
  )
  const toggle = useLatest((row: T, index: number, range: boolean): void => {
    if (!can(row)) return
    const from = range && last.current !== null ? last.current : index
    const reach = rows.slice(Math.min(from, index), Math.max(from, index) + 1).filter(can)
    const without = chosen.filter(({ id }) => !reach.some((one) => one.id === id))
    set(ids.has(row.id) ? without : [...without, ...reach])
    last.current = index
  })
  const all = possible.length > 0 && possible.every(({ id }) => ids.has(id))
  return {
    all,
    barred: rows.length - possible.length,
    some: ids.size > 0,
    has: ({ id }) => ids.has(id),
    labelTickBox,
    toggle,
    toggleAll: () => set(all ? [] : possible),
  }
}

/**
 * Holds the chosen rows of a list. Another search, filter or order makes another list (`listKey`) without chosen rows,
 * since no action may include rows that are not shown. `gone` counts the chosen rows that have left the list.
 */
export function useChosen<T extends { id: string }>(
  listKey: string,
  rows: readonly T[],
  selectable: Selectable<T> | undefined,
): { chosen: T[]; gone: number; set: (rows: T[]) => void } {
  const [chosen, set] = useState<T[]>([])
  const [chosenFor, setChosenFor] = useState(listKey)
  if (chosenFor !== listKey) {
    setChosenFor(listKey)
    set([])
  }
  const still = stillChosen(rows, chosen, selectable)
  return { chosen: still, gone: chosenFor === listKey ? chosen.length - still.length : 0, set }
}
