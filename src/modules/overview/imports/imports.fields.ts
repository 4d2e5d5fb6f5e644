/** A column can fill these fields. `currency` is that of the account and of the opening balance of the line. */
export const IMPORT_FIELDS = [
  ...(['externalId', 'email', 'phone', 'name', 'firstName', 'lastName', 'country', 'language', 'dateOfBirth'] as const),
  ...(['street', 'city', 'region', 'postalCode', 'tags', 'source', 'affiliateCode'] as const),
  ...(['platform', 'server', 'accountNumber', 'leverage', 'isDemo', 'currency', 'balance'] as const),
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** The values of a line by field; `surplus` is set if it has more cells than the file has headers. */
export type Cells = Partial<Record<ImportField | 'surplus', string>>
