/** A deposit or withdrawal, as far as it says when it came into its state. */
export type Stated = {
  status: string
  createdAt: string
  updatedAt: string
  settledAt?: string | null
  approvedAt?: string | null
  paidAt?: string | null
  firstWord?: { at: string } | null
}

/** States in which nothing about a payment changes any more, so that its last change is how it came there. */
const ENDED: readonly string[] = ['failed', 'rejected', 'cancelled']

/** Returns since when a payment is in its state, for the date that is shown beside the state. */
export const stateSince = (payment: Stated): string => {
  const { status, createdAt, updatedAt, settledAt, approvedAt, paidAt, firstWord } = payment
  if (ENDED.includes(status)) return updatedAt
  return paidAt ?? settledAt ?? approvedAt ?? firstWord?.at ?? createdAt
}
