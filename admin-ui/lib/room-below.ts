import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** A list is never lower than this, however much stands above it. */
const LEAST = 320

/**
 * The pixels between the top of an element and the bottom of the window, less what is to stay free: so that a list
 * fills the window and keeps its head and foot in view. Measured again when anything above changes its height.
 */
export function useRoomBelow(element: RefObject<HTMLElement | null>, free: number, on: boolean): number | undefined {
  const [room, setRoom] = useState<number>()
  const measure = (): void => {
    const top = element.current?.getBoundingClientRect().top
    if (!on || top === undefined) return
    setRoom(Math.max(LEAST, Math.floor(window.innerHeight - (top + window.scrollY) - free)))
  }
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
  })
  return on ? room : undefined
}
