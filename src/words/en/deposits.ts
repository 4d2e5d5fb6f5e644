/** Money on its way in. */
export const deposits = {
  'deposits.figures': 'How much of this deposit is where',
  'deposits.announced': 'Announced',
  'deposits.settled': 'Settled',
  'deposits.nothing_yet': 'Nothing yet',
  'deposits.missing': 'Missing',
  'deposits.settle_next': 'The money has arrived',
  'deposits.settle_next_about': 'The next step settles it',
} as const
