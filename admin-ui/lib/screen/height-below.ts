import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** A list is never lower than this, however much is above it. */
const LEAST = 320

/**
 * Returns the height with which an element fills the window down to what the page has below it. So a list fills the
 * window and keeps its head and foot in view, and the page does not scroll. `on` says that the element exists and is to
 * be measured; it is measured again when anything on the page changes its height.
 */
export function useHeightBelow(element: RefObject<HTMLElement | null>, on: boolean): number | undefined {
  const [height, setHeight] = useState<number>()
  const measure = useCallback((): void => {
    const own = element.current?.getBoundingClientRect()
    const page = element.current?.closest('.page')?.getBoundingClientRect()
    if (!on || !own) return
    const below = (page?.bottom ?? own.bottom) - own.bottom
    setHeight(Math.max(LEAST, Math.floor(window.innerHeight - (own.top + window.scrollY) - below)))
  }, [element, on])
  useLayoutEffect(measure)
  useEffect(() => {
    const watch = new ResizeObserver(measure)
    // a banner above the page moves the page down without changing its height, so the elements around are watched too
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
  return on ? height : undefined
}
