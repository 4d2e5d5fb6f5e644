/** Keys that programs sign in with. */
export const apiKeys = {
  'api-keys.scopes.all': 'All read',
  'api-keys.scopes.area': 'Area',
  'api-keys.scopes.area.api_keys': 'API keys',
  'api-keys.scopes.area.auth': 'Own sign-in',
  'api-keys.scopes.area.fx': 'Exchange rates',
  'api-keys.scopes.area.kyc': 'KYC and sanctions',
  'api-keys.scopes.area.mails': 'Mail',
  'api-keys.scopes.area.psp': 'Payment gateways',
  'api-keys.scopes.area.tenants': 'Firm',
  'api-keys.scopes.area.traders': 'Clients',
  'api-keys.scopes.area.users': 'Colleagues',
  'api-keys.scopes.chosen':
    '{count, plural, =0 {Nothing chosen.} one {# permission chosen.} other {# permissions chosen.}}',
  'api-keys.scopes.legend': 'What it may do',
  'api-keys.scopes.point': 'Point at a box to read what it allows.',
  'api-keys.scopes.read': 'Read',
  'api-keys.scopes.write': 'Change',
} as const
