import { useRef, useState } from 'react'

/** How often the reader has done something after which records are read again. */
let acts = 0
/** Notes that the reader did something: what comes of it is shown at once. */
export const noteAct = (): void => {
  acts += 1
}

/** Rows that stay as they are while the pointer is on them, and what hears of the pointer. */
type Held<T> = {
  rows: readonly T[]
  on: { onPointerEnter: () => void; onPointerLeave: () => void }
}

/**
 * Holds the rows of a list still under the pointer: what changes by itself must not move under a hand that is about to
 * click. `own` names what the reader asked for (another filter, more rows): that is shown at once.
 */
export function useHeldRows<T>(rows: readonly T[], own: string): Held<T> {
  const [isOn, setOn] = useState(false)
  const held = useRef<{ own: string; rows: readonly T[] }>({ own: '', rows })
  const now = `${own} ${acts}`
  if (!isOn || held.current.own !== now) held.current = { own: now, rows }
  return {
    rows: held.current.rows,
    on: { onPointerEnter: () => setOn(true), onPointerLeave: () => setOn(false) },
  }
}
