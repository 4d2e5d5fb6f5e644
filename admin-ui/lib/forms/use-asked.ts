import { useState } from 'react'

type Asked<A, T> = {
  /** Which dialog is open. */
  asked: A | null
  /** The record for that dialog. */
  record: T
  ask: (act: A) => void
  close: () => void
}

/**
 * Which dialog of a record is open, with the record as it was when that was asked for. The page reads the record again
 * meanwhile; its newer version would let the dialog go past what a colleague has done since the reader looked. `first`
 * is open from the beginning.
 */
export const useAsked = <A extends string, T>(live: T, first?: A): Asked<A, T> => {
  const [held, setHeld] = useState<{ act: A; record: T } | null>(first ? { act: first, record: live } : null)
  return {
    asked: held?.act ?? null,
    record: held?.record ?? live,
    ask: (act) => setHeld({ act, record: live }),
    close: () => setHeld(null),
  }
}
