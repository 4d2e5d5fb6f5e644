/** A form on the page that asks before what was typed in it is given up. */
type OpenGuard = {
  /** Whether something was typed that has not been sent, or is on its way. */
  holds: () => boolean
  /** Whether something of it was sent and never answered. */
  isUnanswered: () => boolean
  /** Asks the reader, and does the act when the words may go. */
  ask: (act: () => void) => void
}

const guards = new Set<OpenGuard>()

/** Counts a form among those that are asked, until the returned function is called. */
export const openGuard = (guard: OpenGuard): (() => void) => {
  guards.add(guard)
  return () => guards.delete(guard)
}

/** Whether any form of the page that would be given up sent something that was never answered. */
export const someUnanswered = (): boolean => [...guards].some((guard) => guard.holds() && guard.isUnanswered())

/** Does what gives up every form of the page, such as signing out; asks first, once, when something would be lost. */
export const askGuards = (act: () => void): void => {
  const holding = [...guards].filter((guard) => guard.holds())
  const one = holding.find((guard) => guard.isUnanswered()) ?? holding[0]
  if (one) one.ask(act)
  else act()
}

let lettingGo = false

/** The reader said that the page may be left: its other forms do not ask the same again. */
export const letAllGo = (): void => {
  lettingGo = true
  // The router asks form after form without a pause; whatever comes later is another leaving.
  setTimeout(() => {
    lettingGo = false
  }, 0)
}

/** Whether the page is being left with the reader's word. */
export const isLettingGo = (): boolean => lettingGo
