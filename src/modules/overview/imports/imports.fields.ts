/**
 * A column can fill these fields. `currency` is that of the account and of the opening balance of the line; `group` is
 * the account's on its platform, which may name the currency.
 */
export const IMPORT_FIELDS = [
  ...(['externalId', 'email', 'phone', 'name', 'firstName', 'lastName', 'country', 'language', 'dateOfBirth'] as const),
  ...(['street', 'city', 'region', 'postalCode', 'tags', 'source', 'affiliateCode'] as const),
  ...(['platform', 'server', 'accountNumber', 'leverage', 'isDemo', 'group', 'currency', 'balance'] as const),
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** The values of a line by field; `surplus` is set if it has more cells than the file has headers. */
export type Cells = Partial<Record<ImportField | 'surplus', string>>

export const DATE_ORDERS = ['day_first', 'month_first'] as const
export const DECIMAL_MARKS = ['point', 'comma'] as const

/** How a file is read: what its uploader said of all its lines. */
export type Reading = {
  /** The line that names the columns. */
  headLine?: number
  /** The currency of lines that name none. */
  currency?: string
  /** How days such as 03/04/1990 are read. */
  dates?: (typeof DATE_ORDERS)[number]
  /** How amounts such as 1,234 are read. */
  decimals?: (typeof DECIMAL_MARKS)[number]
}
