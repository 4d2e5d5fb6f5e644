import { useRef, useState } from 'react'

/** Counts the reader's actions after which records are read again. */
let acts = 0
/** Records an action of the reader, whose effect is shown at once. */
export const noteAct = (): void => {
  acts += 1
}

/** Rows that stay unchanged while the pointer is on them, with the handlers of the pointer. */
type Held<T> = {
  rows: readonly T[]
  on: { onPointerEnter: () => void; onPointerLeave: () => void }
}

/**
 * Holds the rows of a list while the pointer is on them, so that a change does not move a row under a click. `own`
 * changes when the reader asks for something else (another filter, more rows), which is shown at once. After an act of
 * the reader, too, changes are shown at once until the list has been read again: a decided row leaves at once.
 */
export function useHeldRows<T>(rows: readonly T[], own: string, isFetching: boolean): Held<T> {
  const [isOn, setOn] = useState(false)
  const held = useRef({ own: '', shownActs: acts, rows })
  const { shownActs } = held.current
  if (!isOn || held.current.own !== own || shownActs !== acts)
    held.current = { own, shownActs: isFetching ? shownActs : acts, rows }
  return {
    rows: held.current.rows,
    on: { onPointerEnter: () => setOn(true), onPointerLeave: () => setOn(false) },
  }
}
