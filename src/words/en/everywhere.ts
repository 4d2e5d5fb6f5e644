/** What is said everywhere. */
export const common = {
  'common.client': 'Client',
  'common.client_words': 'Name, e-mail or phone',
  'common.close': 'Close',
  'common.nobody_found': 'Nobody found',
  'common.searching': 'Searching…',
} as const
