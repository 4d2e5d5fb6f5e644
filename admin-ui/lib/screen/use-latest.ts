import { useCallback, useRef } from 'react'

/**
 * A function that stays the same while what it does is that of the last drawing: what is handed down with it need not
 * be drawn again. For handlers alone; what is drawn must not depend on it.
 */
export function useLatest<A extends unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act)
  latest.current = act
  return useCallback((...args: A) => latest.current(...args), [])
}
