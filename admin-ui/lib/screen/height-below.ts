import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** A list is never lower than this, however much is above it. */
const LEAST = 320

/**
 * Returns the pixels between the top of an element and the bottom of the window, minus `free`: so a list fills the
 * window and keeps its head and foot in view. `on` says that the element exists and is to be measured; it is measured
 * again when anything on the page changes its height.
 */
export function useRoomBelow(element: RefObject<HTMLElement | null>, free: number, on: boolean): number | undefined {
  const [room, setRoom] = useState<number>()
  const measure = useCallback((): void => {
    const top = element.current?.getBoundingClientRect().top
    if (!on || top === undefined) return
    setRoom(Math.max(LEAST, Math.floor(window.innerHeight - (top + window.scrollY) - free)))
  }, [element, free, on])
  useLayoutEffect(measure)
  useEffect(() => {
    const page = element.current?.closest('.page')
    const watch = new ResizeObserver(measure)
    if (page) watch.observe(page)
    window.addEventListener('resize', measure)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [element, measure])
  return on ? room : undefined
}
