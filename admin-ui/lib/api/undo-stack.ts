type Offer = { isShown: () => boolean; press: () => void }

/** The acts that can be taken back, the last one at the end. */
let offers: readonly Offer[] = []

/** Lets Ctrl-Z press the button that takes an act back, as long as the button is shown. */
export const offerUndo = (offer: Offer): void => {
  offers = [...offers.filter(({ isShown }) => isShown()), offer]
}

/** Takes back the last act whose button is still shown; returns whether there was one. */
export const undoLast = (): boolean => {
  const shown = offers.filter(({ isShown }) => isShown())
  const last = shown.at(-1)
  offers = shown.slice(0, -1)
  last?.press()
  return last !== undefined
}
