/** Merging two clients, changing many at once, and the privacy bundle. */
export const merges = {
  'merges.error.needsAdmin': 'The second client has money: an admin merges them.',
  'merges.error.twoAffiliates': 'Both clients are introducing brokers. Close one of the two first.',
  'merges.error.lately':
    'You merged this client with another one in the last 72 hours, or could have been one of them: somebody else approves.',
  'merges.error.taken': 'Another trader has this email already.',
  'merges.error.isTaken': 'is taken',
  'merges.error.same': 'is the same client as the first one',
  'merges.error.unknown': 'is not a client of this firm',
  'merges.error.staffOnly': 'This is for staff only.',
  'merges.kyc.closed':
    'We are checking the papers of your other registration. You can hand in papers again afterwards.',
  'merges.ledger.description': 'Two clients merged',
  'privacy.error.notByKey': 'A privacy bundle is for an owner who is signed in, not for an API key.',
  'privacy.error.tooSoon':
    'A bundle of this client was made within the last hour. Wait {minutes, plural, one {# minute} other {# minutes}}.',
} as const
