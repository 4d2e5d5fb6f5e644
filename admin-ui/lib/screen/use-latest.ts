import { useCallback, useRef } from 'react'

/**
 * Returns a function that stays the same and calls the `act` of the last drawing, so that components which receive it
 * need not be drawn again. It is for handlers only; nothing that is drawn may depend on it.
 */
export function useLatest<A extends unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act)
  latest.current = act
  return useCallback((...args: A) => latest.current(...args), [])
}
