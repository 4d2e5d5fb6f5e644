import { useCallback, useEffect, useRef, useState } from 'react'
import { type ApiError, offerRemedy } from './http.ts'

/** Refusals that arrive this soon after the reader signed in are sent again without a question. */
const LATE = 3000
/** The open dialogs that ask for the password; they lie above everything else. */
const open = new Set<symbol>()

/** Returns whether the reader must enter the password before anything continues. */
export const isPasswordAsked = (): boolean => open.size > 0

/**
 * Holds refused requests until `ask` was answered: `settle(true)` sends them again, `settle(false)` lets them fail.
 * `fits` selects the refusals. One dialog serves all that were refused meanwhile.
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
