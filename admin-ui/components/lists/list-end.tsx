import { useEffect, useRef } from 'react'

/** The next rows are read this many rows before the end of the present ones. */
const READ_AHEAD = 15

/** Calls `onReach` when the reader has scrolled near to the end of the rows. */
export const NearEnd = ({ on, onReach }: { on: boolean; onReach: () => void }) => {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!on || !mark.current) return
    const watch = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && onReach(), {
      root: mark.current.closest('.list[data-fills] > .list-scroller'),
      rootMargin: `${READ_AHEAD * 36}px`,
    })
    watch.observe(mark.current)
    return () => watch.disconnect()
  })
  return <div ref={mark} className="list-end" />
}
