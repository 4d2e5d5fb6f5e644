/** Keys that programs sign in with. */
export const apiKeys = {
  'apiKeys.scopes.all': 'All read',
  'apiKeys.scopes.area': 'Area',
  'apiKeys.scopes.area.api_keys': 'API keys',
  'apiKeys.scopes.area.auth': 'Own sign-in',
  'apiKeys.scopes.area.fx': 'Exchange rates',
  'apiKeys.scopes.area.kyc': 'KYC and sanctions',
  'apiKeys.scopes.area.mails': 'Mail',
  'apiKeys.scopes.area.psp': 'Payment gateways',
  'apiKeys.scopes.area.tenants': 'Firm',
  'apiKeys.scopes.area.traders': 'Clients',
  'apiKeys.scopes.area.users': 'Colleagues',
  'apiKeys.scopes.chosen':
    '{count, plural, =0 {Nothing chosen.} one {# permission chosen.} other {# permissions chosen.}}',
  'apiKeys.scopes.legend': 'What it may do',
  'apiKeys.scopes.point': 'Point at a box to read what it allows.',
  'apiKeys.scopes.read': 'Read',
  'apiKeys.scopes.write': 'Change',
} as const
