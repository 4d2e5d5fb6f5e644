/** Introducing brokers: what staff and they themselves read. */
export const affiliates = {
  'affiliates.ledger': 'Commissions',
} as const
