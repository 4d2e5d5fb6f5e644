import { useCallback, useEffect, useRef, useState } from 'react'
import { type ApiError, offerRemedy } from './http.ts'

/** Refusals that were on their way while the reader signed in are sent again without a word. */
const LATE = 3000
/**
 * Holds refused requests until `ask` has been answered: `settle(true)` sends them again, `settle(false)`
 * lets them fail. `fits` says which refusals. One question serves all that were refused meanwhile.
 */
export const useHeldRequests = (fits: (refusal: ApiError) => boolean) => {
  const waiting = useRef<((again: boolean) => void)[]>([])
  const settledAt = useRef(0)
  const [asking, setAsking] = useState(false)
  const settle = useCallback((again: boolean): void => {
    if (again) settledAt.current = Date.now()
    setAsking(false)
    for (const answer of waiting.current.splice(0)) answer(again)
  }, [])
  useEffect(() => {
    const withdraw = offerRemedy((refusal) => {
      if (!fits(refusal)) return Promise.resolve(false)
      if (Date.now() - settledAt.current < LATE) return Promise.resolve(true)
      return new Promise((answer) => {
        waiting.current.push(answer)
        setAsking(true)
      })
    })
    return () => {
      withdraw()
      settle(false)
    }
  }, [fits, settle])
  return { asking, settle }
}
