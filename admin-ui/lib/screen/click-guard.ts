import { useLayoutEffect } from 'react'

const HELD = 400
const NEAR = 24
const PRESSES = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick'] as const

type Place = { clientX: number; clientY: number }

type Press = Place & { at: number; onOverlay: boolean }

const OVERLAYS = '.mantine-Modal-overlay, .mantine-Drawer-overlay'
const isOnOverlay = ({ target }: Event): boolean => target instanceof Element && target.closest(OVERLAYS) !== null

/** The last press, and the one before it. */
const presses: { last: Press | null; before: Press | null } = { last: null, before: null }

// A button that opens a dialog brings the dialog's overlay under the second click of a double click, which would close
// the dialog again. A press on the overlay counts as this second click if it comes right after a press elsewhere, or if
// the browser counts it as the second of a double click, however late a busy machine handles it. This runs once for all
// dialogs.
if (typeof window !== 'undefined') {
  const note = (event: PointerEvent): void => {
    const { clientX, clientY, timeStamp } = event
    presses.before = presses.last
    presses.last = { clientX, clientY, at: timeStamp, onOverlay: isOnOverlay(event) }
  }
  const swallow = (event: MouseEvent): void => {
    const { last, before } = presses
    if (!isOnOverlay(event) || !last || !before || before.onOverlay) return
    if (event.detail < 2 && last.at - before.at > HELD) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('pointerdown', note, { capture: true })
  window.addEventListener('click', swallow, { capture: true })
}

/** Ignores presses at this place for a moment. */
const swallowAt = (place: Place): void => {
  const swallow = (event: MouseEvent): void => {
    // A key that presses a button is a click without a place.
    if (event.type === 'click' && event.detail === 0) return
    if (Math.hypot(event.clientX - place.clientX, event.clientY - place.clientY) > NEAR) {
      // a press elsewhere in between means that the next one is intended
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
 * Keeps the second click of a double click from a dialog that the first click opened, and from what lies under a dialog
 * that the first click closed: the last pressed place ignores presses for a moment.
 */
export const useClickGuard = (opened: boolean): void =>
  useLayoutEffect(() => {
    if (!opened) return
    const opening = presses.last
    if (opening && performance.now() - opening.at < HELD) swallowAt(opening)
    return () => {
      if (presses.last && presses.last !== opening) swallowAt(presses.last)
    }
  }, [opened])
