import { useState } from 'react'
import { type ScreenKey, useScreenKeys } from '../screen/screen-keys.ts'
import { say } from '../text/words.ts'

/** A key that acts on a row. */
export type RowKey<T> = { key: string; does: string; when?: (row: T) => boolean; act: (row: T) => void }

type ListKeys = {
  /** The row with the mark, from 0; -1 if none has it. */
  current: number
  first: () => void
  /** Moves the mark to a row. */
  mark: (index: number) => void
}

type Does<T> = {
  open?: ((row: T) => void) | undefined
  choose?: (row: T, index: number) => void
  peek?: (row: T) => void
  reveal: (index: number) => void
  /** The further keys of a list, for its marked row. */
  more?: readonly RowKey<T>[]
}

const isOn = (selector: string): boolean => document.activeElement?.matches(selector) ?? false

/**
 * Moves a mark through the rows by up and down (or K and J), opens the marked one by Enter, chooses it by X or
 * Space, and shows it beside the list by P, or by Space where rows cannot be chosen. Links and buttons keep their own
 * keys. `rows` is null in a list that leaves all keys to its page.
 */
export const useListKeys = <T>(rows: readonly T[] | null, does: Does<T>): ListKeys => {
  const [current, setCurrent] = useState(-1)
  const go = (index: number): boolean => {
    if (!rows || rows.length === 0) return false
    const next = Math.min(Math.max(index, 0), rows.length - 1)
    setCurrent(next)
    does.reveal(next)
    return true
  }
  const { open, choose, peek } = does
  const row = rows?.[current]
  const onRow =
    (act: (row: T) => void, own = '') =>
    (): boolean => {
      if (row === undefined || (own && isOn(own))) return false
      act(row)
      return true
    }
  const chooses = choose && ((one: T): void => choose(one, current))
  const keys: (ScreenKey | false | undefined)[] = [
    { key: 'arrowup', does: say('lists.keys.move'), repeats: true, act: () => go(current - 1) },
    { key: 'arrowdown', does: say('lists.keys.move'), repeats: true, act: () => go(current + 1) },
    { key: 'k', does: say('lists.keys.move'), repeats: true, act: () => go(current - 1) },
    { key: 'j', does: say('lists.keys.move'), repeats: true, act: () => go(current + 1) },
    open && { key: 'enter', does: say('lists.keys.open'), act: onRow(open, 'a, button, [role="button"]') },
    peek && { key: 'p', does: say('lists.keys.peek'), act: onRow(peek) },
    chooses && { key: 'x', does: say('lists.keys.choose'), act: onRow(chooses) },
    // The space bar presses a button that has the focus, and scrolls if no row is marked.
    ...[chooses ?? peek].map(
      (act) =>
        act && {
          key: ' ',
          does: say(chooses ? 'lists.keys.choose' : 'lists.keys.peek'),
          act: onRow(act, 'a, button, summary, [role="button"]'),
        },
    ),
    ...(does.more ?? []).map(({ key, does: text, when, act }) => ({
      key,
      does: text,
      act: () => row !== undefined && (when?.(row) ?? true) && onRow(act)(),
    })),
  ]
  useScreenKeys(rows ? keys.filter((key) => key !== false && key !== undefined) : [])
  return { current, first: () => void go(0), mark: (index) => void go(index) }
}
