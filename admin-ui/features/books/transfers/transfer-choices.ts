import type { End } from './transfer-ends.ts'

/** What was picked in the form of a transfer, as the values of its selects. */
export type Picked = { from: string; to: string; elsewhere: boolean }
type Offered = { own: readonly End[]; others: readonly End[]; manager: boolean }
type Choices = {
  sources: readonly End[]
  targets: readonly End[]
  source: End | undefined
  target: End | undefined
}

/** The ends a transfer may have, and the two that were picked; a pick that is not among them is none. */
export const transferChoices = ({ from, to, elsewhere }: Picked, { own, others, manager }: Offered): Choices => {
  // Money leaves a trading account only by a manager's hand.
  const sources = own.filter(({ kind }) => kind === 'wallet' || manager)
  const source = sources.find(({ value }) => value === from)
  const targets = (elsewhere ? others : own).filter(
    (end) => end.value !== from && (source?.kind !== 'account' || end.kind === 'wallet'),
  )
  return { sources, targets, source, target: targets.find(({ value }) => value === to) }
}
