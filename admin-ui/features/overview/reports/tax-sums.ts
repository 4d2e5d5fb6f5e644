/** The sums of the tax report, in their order. */
export const TAX_SUMS = [
  'opening',
  'deposits',
  'withdrawals',
  'transfersIn',
  'transfersOut',
  'converted',
  'adjustments',
  'commissions',
  'merged',
  'closing',
] as const
