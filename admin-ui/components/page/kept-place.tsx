import { type ReactNode, useEffect, useRef } from 'react'

type KeptPlaceProps = {
  name: string
  /** Whether its content, or that it has none, is known by now. */
  isKnown: boolean
  children?: ReactNode
}

/**
 * Keeps room for what is read after the page is drawn, as high as it was the last time in this browser, so that it
 * shifts nothing when it comes: a press would meet another button. The first time, what is below it shows when its
 * height is known, or after a second.
 */
export const KeptPlace = ({ name, isKnown, children }: KeptPlaceProps) => {
  const key = `height-${name}`
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isKnown) return
    const content = place.current?.firstElementChild
    localStorage.setItem(key, String(content instanceof HTMLElement ? content.offsetHeight : 0))
  })
  const stored = localStorage.getItem(key)
  const kept = Number(stored)
  // known content stands in the page as if there were no place around it
  const style = !isKnown && kept > 0 ? { height: kept } : { display: 'contents' }
  return (
    <div ref={place} style={style} data-unplaced={(!isKnown && stored === null) || undefined}>
      {children}
    </div>
  )
}
