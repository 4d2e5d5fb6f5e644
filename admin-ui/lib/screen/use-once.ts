import { useEffect, useEffectEvent } from 'react'

/** Calls `begin` once, as soon as it is ready. */
export const useStart = (isReady: boolean, begin: () => void): void => {
  const start = useEffectEvent(begin)
  useEffect(() => {
    if (isReady) start()
  }, [isReady])
}
