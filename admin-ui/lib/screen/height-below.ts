import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** A list is never lower than this, however much is above it. */
const LEAST = 320

/**
 * Returns the height of an element that ends where the window does, less what the page has below it: so a list fills
 * the window, keeps its head and foot in view, and the page does not scroll. `on` says that the element exists and is
 * to be measured; it is measured again when anything on the page changes its height.
 */
export function useRoomBelow(element: RefObject<HTMLElement | null>, on: boolean): number | undefined {
  const [room, setRoom] = useState<number>()
  const measure = useCallback((): void => {
    const own = element.current?.getBoundingClientRect()
    const page = element.current?.closest('.page')?.getBoundingClientRect()
    if (!on || !own) return
    const below = (page?.bottom ?? own.bottom) - own.bottom
    setRoom(Math.max(LEAST, Math.floor(window.innerHeight - (own.top + window.scrollY) - below)))
  }, [element, on])
  useLayoutEffect(measure)
  useEffect(() => {
    const watch = new ResizeObserver(measure)
    // what comes above the page moves it down and does not change its height, so what is around it is watched too
    for (const around of ['.page', 'main']) {
      const one = element.current?.closest(around)
      if (one) watch.observe(one)
    }
    window.addEventListener('resize', measure)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [element, measure])
  return on ? room : undefined
}
