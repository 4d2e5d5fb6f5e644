import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { usePrinting } from '../screen/use-printing.ts'

/** This many rows beyond the visible ones are drawn, so that quick scrolling shows no gap. */
const BEYOND = 12
/** The window moves by this many rows at once, since each move draws the list anew. */
const STEP = 6

type Window = { first: number; last: number }

/** Returns which of `count` rows of one height are drawn if the pixels from `top` on, `height` of them, are visible. */
export function calculateWindow(parts: { count: number; rowHeight: number; top: number; height: number }): Window {
  const { count, rowHeight, top, height } = parts
  const at = (pixels: number): number => Math.floor(pixels / rowHeight / STEP) * STEP
  const first = Math.min(Math.max(0, at(top) - BEYOND), Math.max(0, count - 1))
  const last = Math.min(count, at(Math.max(0, top + height)) + STEP + BEYOND)
  return { first, last: Math.max(last, first) }
}

/**
 * Returns which rows of a list are near the visible ones, so that a list of any length draws a screenful. `body` holds
 * the rows; `scroller` scrolls them, or the page if it is null. All rows are drawn for paper.
 */
export function useWindow(parts: {
  count: number
  rowHeight: number
  body: RefObject<HTMLElement | null>
  scroller: RefObject<HTMLElement | null> | null
}): Window {
  const { count, rowHeight, body, scroller } = parts
  const [seen, setSeen] = useState<Window>({ first: 0, last: 60 })
  const isPrinted = usePrinting()
  const look = (): void => {
    const rows = body.current
    if (!rows) return
    const frame = scroller?.current?.getBoundingClientRect()
    const top = (frame?.top ?? 0) - rows.getBoundingClientRect().top
    const next = calculateWindow({ count, rowHeight, top, height: frame?.height ?? window.innerHeight })
    setSeen((now) => (now.first === next.first && now.last === next.last ? now : next))
  }
  useLayoutEffect(look)
  useEffect(() => {
    const target: EventTarget = scroller?.current ?? window
    target.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      target.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  })
  if (isPrinted) return { first: 0, last: count }
  return { first: Math.min(seen.first, count), last: Math.min(seen.last, count) }
}
