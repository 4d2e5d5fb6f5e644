import { useCallback, useEffect, useRef, useState } from 'react'
import { type ApiError, offerRemedy } from './http.ts'

/** Refusals that were on their way while the reader signed in are sent again without a word. */
const LATE = 3000
/** Questions for the password that are open now; they lie above everything else. */
const open = new Set<symbol>()

/** Whether the reader is asked for the password before anything can go on. */
export const isPasswordAsked = (): boolean => open.size > 0

/**
 * Holds refused requests until `ask` has been answered: `settle(true)` sends them again, `settle(false)`
 * lets them fail. `fits` says which refusals. One question serves all that were refused meanwhile.
 */
export const useHeldRequests = (fits: (refusal: ApiError) => boolean) => {
  const waiting = useRef<((again: boolean) => void)[]>([])
  const settledAt = useRef(0)
  const [name] = useState(() => Symbol('question'))
  const [asking, setAsking] = useState(false)
  const settle = useCallback(
    (again: boolean): void => {
      if (again) settledAt.current = Date.now()
      open.delete(name)
      setAsking(false)
      for (const answer of waiting.current.splice(0)) answer(again)
    },
    [name],
  )
  useEffect(() => {
    const withdraw = offerRemedy((refusal) => {
      if (!fits(refusal)) return Promise.resolve(false)
      if (Date.now() - settledAt.current < LATE) return Promise.resolve(true)
      return new Promise((answer) => {
        waiting.current.push(answer)
        open.add(name)
        setAsking(true)
      })
    })
    return () => {
      withdraw()
      settle(false)
    }
  }, [fits, settle, name])
  return { asking, settle }
}
