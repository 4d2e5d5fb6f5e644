/** A form on the page that asks before its typed text is dropped. */
type OpenGuard = {
  /** The row beside a list that it is a part of; null on a page. */
  beside: string | null
  /** Returns whether it has typed text that was not sent, or a request on its way. */
  holds: () => boolean
  /** Returns whether it has a change without an answer. */
  isUnanswered: () => boolean
  /** Asks the reader, and calls `act` if the text may be dropped. */
  ask: (act: () => void) => void
}

const guards = new Set<OpenGuard>()

/** Registers a form until the returned function is called. */
export const openGuard = (guard: OpenGuard): (() => void) => {
  guards.add(guard)
  return () => guards.delete(guard)
}

/** Returns whether any form of the page that would be dropped has a change without an answer. */
export const someUnanswered = (): boolean => [...guards].some((guard) => guard.holds() && guard.isUnanswered())

/** Returns whether any form of the page has typed text that was not sent, or a request on its way. */
export const someHold = (): boolean => [...guards].some((guard) => guard.holds())

/**
 * Calls `act`, which leaves every form of the page (as signing out does), or only those of the row `beside` a list. It
 * asks once before typed text would be lost.
 */
export const askGuards = (act: () => void, beside?: string): void => {
  const holding = [...guards].filter((guard) => (beside === undefined || guard.beside === beside) && guard.holds())
  const one = holding.find((guard) => guard.isUnanswered()) ?? holding[0]
  if (one) one.ask(act)
  else act()
}

let lettingGo = false

/** Lets the page be left after the reader agreed: its other forms do not ask again. */
export const letAllGo = (): void => {
  lettingGo = true
  // The router asks form after form without a pause; a later question is about another departure.
  setTimeout(() => {
    lettingGo = false
  }, 0)
}

/** Returns whether the page is being left with the reader's consent. */
export const isLettingGo = (): boolean => lettingGo
