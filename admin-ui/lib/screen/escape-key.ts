/** Dialogs that have a request on its way. */
const busy = new Set<symbol>()
/** Forms in the page or in a dialog that Esc leaves, before it closes the dialog around them. */
const places = new Map<Element, () => void>()

// It is registered before any dialog is drawn, so that it hears Esc before the drawer under a dialog does.
if (typeof window !== 'undefined')
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing) return
      const { target } = event
      const place = [...places.keys()].find((one) => target instanceof Node && one.contains(target))
      if (place) {
        event.stopImmediatePropagation()
        places.get(place)?.()
        return
      }
      if (busy.size === 0) return
      // An open list of a field, and a dialog above, close by their own Esc.
      const own = target instanceof Element && target.closest('[data-mantine-stop-propagation="true"]')
      if (!own) event.stopImmediatePropagation()
    },
    { capture: true },
  )

/** Keeps Esc from every dialog until the returned function is called. */
export const holdEsc = (): (() => void) => {
  const one = Symbol('dialog')
  busy.add(one)
  return () => busy.delete(one)
}

/** Makes Esc inside an element call `leave` and do nothing else, until the returned function is called. */
export const takeEsc = (place: Element, leave: () => void): (() => void) => {
  places.set(place, leave)
  return () => places.delete(place)
}
