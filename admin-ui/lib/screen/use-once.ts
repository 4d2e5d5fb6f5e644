import { useEffect, useEffectEvent } from 'react'

/** Does something once, as soon as it can be done. */
export const useStart = (isReady: boolean, begin: () => void): void => {
  const start = useEffectEvent(begin)
  useEffect(() => {
    if (isReady) start()
  }, [isReady])
}
