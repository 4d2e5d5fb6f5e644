const DIALOG = '.mantine-Modal-content, .mantine-Drawer-content'
const CLOSE = '.mantine-Modal-close, .mantine-Drawer-close'

/** Returns how many dialogs and drawers are open: keys belong to the upper one, or to the page if there is none. */
export const countDialogs = (): number => document.querySelectorAll(DIALOG).length

const isElement = (one: unknown): one is HTMLElement => one instanceof HTMLElement

/** Maps each dialog to the elements that had the focus before it; `onPage` had it last on the page itself. */
const before = new WeakMap<Element, readonly HTMLElement[]>()
let onPage: HTMLElement | null = null

const giveBack = (dialog: Element): void => {
  if (document.activeElement !== document.body) return
  before
    .get(dialog)
    ?.find(({ isConnected }) => isConnected)
    ?.focus({ preventScroll: true })
}

// Mantine returns the focus when a dialog that stays mounted is closed. Ours are unmounted to close, which would lose
// the focus, and the keyboard would start again at the top of the page.
const noteFocus = ({ target, relatedTarget }: FocusEvent): void => {
  if (!isElement(target)) return
  const dialog = target.closest(DIALOG)
  if (!dialog) {
    // The entry of a menu no longer exists when its dialog closes.
    if (!target.closest('[role="menu"]')) onPage = target
    return
  }
  if (before.has(dialog)) return
  before.set(dialog, [relatedTarget, onPage].filter(isElement))
  const watch = new MutationObserver(() => {
    if (dialog.isConnected) return
    watch.disconnect()
    giveBack(dialog)
  })
  watch.observe(document.body, { childList: true, subtree: true })
}

// Every open dialog hears Esc: one below another would close too, with its typed text. Only the upper one is closed, by
// its own button, which is disabled while something is on its way.
const closeUpper = (event: KeyboardEvent): void => {
  if (event.key !== 'Escape' || event.isComposing || !isElement(event.target)) return
  if (event.target.dataset.mantineStopPropagation === 'true' || countDialogs() < 2) return
  const close = event.target.closest(DIALOG)?.querySelector<HTMLButtonElement>(CLOSE)
  if (!close) return
  event.stopImmediatePropagation()
  close.click()
}

// This runs once for all dialogs, before any of them listens.
if (typeof window !== 'undefined') {
  window.addEventListener('focusin', noteFocus)
  window.addEventListener('keydown', closeUpper, { capture: true })
}
