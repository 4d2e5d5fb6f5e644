import { useState } from 'react'

type Asked<A, T> = {
  /** The open dialog. */
  asked: A | null
  /** The record for that dialog. */
  record: T
  ask: (act: A) => void
  close: () => void
}

/**
 * Holds which dialog of a record is open, with the record as it was when the dialog opened. The page reads the record
 * again meanwhile; with its newer version the dialog could overwrite a colleague's change that the reader has not seen.
 * `first` is open from the beginning.
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
