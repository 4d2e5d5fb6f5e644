import { type ReactNode, useEffect, useRef } from 'react'

type KeptPlaceProps = {
  name: string
  /** Whether the content is loaded, even if it turned out to be empty. */
  isKnown: boolean
  children?: ReactNode
}

/**
 * Reserves room for content that loads after the page is drawn, as high as the content was last time in this browser.
 * Otherwise it would push other buttons under the pointer. The first time, what is below is shown once the height is
 * known, or after a second.
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
  // loaded content is laid out as if this element did not exist
  const style = !isKnown && kept > 0 ? { height: kept } : { display: 'contents' }
  return (
    <div ref={place} style={style} data-unplaced={(!isKnown && stored === null) || undefined}>
      {children}
    </div>
  )
}
