import { useLocalStorage } from '@mantine/hooks'

/** The reader's arrangement of a list; it is stored in this browser. Widths are pixels. */
type Look = {
  hidden: readonly string[]
  order: readonly string[]
  widths: Readonly<Record<string, number>>
  dense: boolean
}

type Arranged = { key: string; optional?: boolean; card?: boolean }

/** A narrower column shows nothing any more. */
const LEAST_WIDTH = 64

/** Returns the default look of a list. A phone shows what belongs on a card, optional or not. */
export const plainLook = (columns: readonly Arranged[], isPhone: boolean): Look => ({
  hidden: columns.filter(({ optional, card }) => optional && !(card && isPhone)).map(({ key }) => key),
  order: [],
  widths: {},
  dense: false,
})

/** Returns the columns in the reader's order. Columns that the order lacks stay behind their neighbour. */
export function inOrder<T extends Arranged>(columns: readonly T[], order: readonly string[]): T[] {
  const known = order.flatMap((key) => columns.find((column) => column.key === key) ?? [])
  for (const [index, column] of columns.entries()) {
    if (known.includes(column)) continue
    const before = columns[index - 1]
    known.splice(before ? known.indexOf(before) + 1 : 0, 0, column)
  }
  return known
}

/** Returns the order after a column was moved one place up (-1) or down (1). */
export function moved(columns: readonly Arranged[], order: readonly string[], key: string, by: -1 | 1): string[] {
  const keys = inOrder(columns, order).map((column) => column.key)
  const from = keys.indexOf(key)
  const to = from + by
  if (from === -1 || to < 0 || to >= keys.length) return keys
  keys.splice(to, 0, ...keys.splice(from, 1))
  return keys
}

export type ListLook = Look & {
  /** Whether the reader has arranged anything. */
  isArranged: boolean
  toggle(key: string): void
  move(key: string, by: -1 | 1): void
  resize(key: string, width: number): void
  setDense(dense: boolean): void
  set(look: Look): void
  reset(): void
}

/** Returns this reader's arrangement of a list, and the functions that change it. */
export function useListLook(listId: string, columns: readonly Arranged[], isPhone: boolean): ListLook {
  const plain = plainLook(columns, isPhone)
  const [kept, setKept, forget] = useLocalStorage<Partial<Look>>({
    key: `list:${listId}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const look = { ...plain, ...kept }
  const change = (next: Partial<Look>): void => setKept((now) => ({ ...now, ...next }))
  return {
    ...look,
    isArranged: Object.keys(kept).length > 0,
    toggle: (key) =>
      change({
        hidden: look.hidden.includes(key) ? look.hidden.filter((other) => other !== key) : [...look.hidden, key],
      }),
    move: (key, by) => change({ order: moved(columns, look.order, key, by) }),
    resize: (key, width) => change({ widths: { ...look.widths, [key]: Math.max(LEAST_WIDTH, Math.round(width)) } }),
    setDense: (dense) => change({ dense }),
    set: change,
    reset: forget,
  }
}
