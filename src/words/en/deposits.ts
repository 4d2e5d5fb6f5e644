/** Money on its way in. */
export const deposits = {
  'deposits.settle_next': 'The money has arrived',
  'deposits.settle_next_about': 'The next step settles it',
} as const
