/** What is said everywhere. */
export const common = {
  'common.close': 'Close',
} as const
