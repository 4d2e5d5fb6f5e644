/** Viewing as a client or a colleague. */
export const views = {
  'views.error.notByKey': 'A view is for a person who is signed in, not for an API key.',
  'views.error.notBelowYou': 'You can view as colleagues below your own role only.',
  'views.error.noAccess': 'This account could not sign in itself, so there is nothing to see.',
  'views.error.unknownTrader': 'is not a client of this firm',
} as const
