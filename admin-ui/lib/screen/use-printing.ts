import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let printing = false
const readers = new Set<() => void>()
const change = (now: boolean) => (): void => {
  printing = now
  // The browser prints what is drawn as soon as these listeners return.
  flushSync(() => {
    for (const tell of readers) tell()
  })
}
if (typeof window !== 'undefined') {
  window.addEventListener('beforeprint', change(true))
  window.addEventListener('afterprint', change(false))
}
const subscribe = (tell: () => void): (() => void) => {
  readers.add(tell)
  return () => readers.delete(tell)
}

/** Returns whether the page is being printed, for what differs on paper in more than its look. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => printing)
