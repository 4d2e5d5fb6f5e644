import type { ImportField } from './imports.api.ts'

/** What a column can fill, in the order in which it is offered. */
export const IMPORT_FIELDS: readonly ImportField[] = [
  ...(['externalId', 'email', 'phone', 'name', 'firstName', 'lastName', 'country', 'language', 'dateOfBirth'] as const),
  ...(['street', 'city', 'region', 'postalCode', 'tags', 'source', 'affiliateCode'] as const),
  ...(['platform', 'accountNumber', 'leverage', 'isDemo', 'currency', 'balance'] as const),
]
