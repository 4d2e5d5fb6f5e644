import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

type Hears<V, R> = Pick<UseMutationOptions<R, Error, V>, 'meta' | 'onMutate' | 'onSuccess' | 'onError'>

/** A change that is sent once at a time. */
type Send<V, R> = {
  run: UseMutationResult<R, Error, V>
  /** Sends it, unless it is on its way. */
  start: (values: V) => void
  /** Returns whether it is on its way now: two clicks may come before the button is drawn as busy. */
  isSending: () => boolean
}

/** Sends a change once at a time, and calls the handlers of its answer. */
export function useSend<V, R>(send: (values: V) => Promise<R>, hears: Hears<V, R>): Send<V, R> {
  const sending = useRef(false)
  const run = useMutation({
    ...hears,
    // The answer ends the sending before its handlers run, since they may leave the page.
    mutationFn: async (values: V) => {
      try {
        return await send(values)
      } finally {
        sending.current = false
      }
    },
  })
  const start = (values: V): void => {
    if (sending.current) return
    sending.current = true
    run.mutate(values)
  }
  return { run, start, isSending: () => sending.current }
}
