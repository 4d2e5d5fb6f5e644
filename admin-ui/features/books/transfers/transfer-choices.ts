import type { End } from './transfer-ends.ts'

/** Holds the choices in the form of a transfer, as values of its selects. */
export type Picked = { from: string; to: string; elsewhere: boolean }
type Offered = { own: readonly End[]; others: readonly End[]; manager: boolean }
type Choices = {
  sources: readonly End[]
  targets: readonly End[]
  source: End | undefined
  target: End | undefined
}

/** Lists the ends that a transfer may have, and finds the two chosen ones; a choice outside the list counts as none. */
export const transferChoices = ({ from, to, elsewhere }: Picked, { own, others, manager }: Offered): Choices => {
  // Only a manager may take money out of a trading account.
  const sources = own.filter(({ kind }) => kind === 'wallet' || manager)
  const source = sources.find(({ value }) => value === from)
  const targets = (elsewhere ? others : own).filter(
    (end) => end.value !== from && (source?.kind !== 'account' || end.kind === 'wallet'),
  )
  return { sources, targets, source, target: targets.find(({ value }) => value === to) }
}
