/** What a column of a file can fill. `currency` is that of the account and of the opening balance in the same line. */
export const IMPORT_FIELDS = [
  ...(['externalId', 'email', 'phone', 'name', 'firstName', 'lastName', 'country', 'language', 'dateOfBirth'] as const),
  ...(['street', 'city', 'region', 'postalCode', 'tags', 'source', 'affiliateCode'] as const),
  ...(['platform', 'accountNumber', 'leverage', 'isDemo', 'currency', 'balance'] as const),
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** What a line fills, by field; `surplus` stands where it has more cells than the file has heads. */
export type Cells = Partial<Record<ImportField | 'surplus', string>>
