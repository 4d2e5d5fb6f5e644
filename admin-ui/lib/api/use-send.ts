import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

type Hears<V, R> = Pick<UseMutationOptions<R, Error, V>, 'meta' | 'onMutate' | 'onSuccess' | 'onError'>

/** Something that is sent once at a time. */
type Send<V, R> = {
  run: UseMutationResult<R, Error, V>
  /** Sends it, unless it is on its way. */
  start: (values: V) => void
  /** Whether it is on its way at this very moment: two clicks may come before the button is drawn as busy. */
  isSending: () => boolean
}

/** Sends something, once at a time, and hears of the answer. */
export function useSend<V, R>(send: (values: V) => Promise<R>, hears: Hears<V, R>): Send<V, R> {
  const sending = useRef(false)
  const run = useMutation({
    ...hears,
    // The answer ends the sending before anybody acts on it: what it leads to may leave the page.
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
