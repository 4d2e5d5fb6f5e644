/** Dialogs that have a request on its way. */
const busy = new Set<symbol>()

// It is registered before any dialog is drawn, so that it hears Esc before the drawer under a dialog does.
if (typeof window !== 'undefined')
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || busy.size === 0) return
      // An open list of a field, and a dialog above, close by their own Esc.
      const own = event.target instanceof Element && event.target.closest('[data-mantine-stop-propagation="true"]')
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
