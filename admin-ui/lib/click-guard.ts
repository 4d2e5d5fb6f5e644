import { useLayoutEffect } from 'react'

const HELD = 400
const NEAR = 24
const PRESSES = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick'] as const

type Place = { clientX: number; clientY: number }

/** Takes away what is pressed at this place for a moment. */
const swallowAt = (place: Place): void => {
  const swallow = (event: MouseEvent): void => {
    // A key that presses a button is a click without a place.
    if (event.type === 'click' && event.detail === 0) return
    if (Math.hypot(event.clientX - place.clientX, event.clientY - place.clientY) > NEAR) {
      // whoever pressed elsewhere in between means what they press here
      stop()
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const stop = (): void => {
    clearTimeout(timer)
    for (const type of PRESSES) window.removeEventListener(type, swallow, { capture: true })
  }
  for (const type of PRESSES) window.addEventListener(type, swallow, { capture: true })
  const timer = setTimeout(stop, HELD)
}

/**
 * Keeps the second click of a double click from what lies under a dialog: when
 * one closes, the place that was pressed in it last takes no press for a moment.
 */
export const useClickGuard = (opened: boolean): void =>
  useLayoutEffect(() => {
    if (!opened) return
    let last: Place | null = null
    const note = ({ clientX, clientY }: PointerEvent): void => {
      last = { clientX, clientY }
    }
    window.addEventListener('pointerdown', note, { capture: true })
    return () => {
      window.removeEventListener('pointerdown', note, { capture: true })
      if (last) swallowAt(last)
    }
  }, [opened])
