/**
 * The fields that a column can fill. `currency` belongs to the account and to the line's opening balance; `group` is
 * the account's group on its platform, whose name may have the currency.
 */
export const IMPORT_FIELDS = [
  ...(['externalId', 'email', 'phone', 'name', 'firstName', 'lastName', 'country', 'language', 'dateOfBirth'] as const),
  ...(['street', 'city', 'region', 'postalCode', 'tags', 'source', 'affiliateCode'] as const),
  ...(['platform', 'server', 'accountNumber', 'leverage', 'isDemo', 'group', 'currency', 'balance'] as const),
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** The values of a line by field; `surplus` is set if the line has more cells than the file has headers. */
export type Cells = Partial<Record<ImportField | 'surplus', string>>

export const DATE_ORDERS = ['day_first', 'month_first'] as const
export const DECIMAL_MARKS = ['point', 'comma'] as const

/** How a file is read: what its uploader says about all lines. */
export type Reading = {
  /** The line with the names of the columns. */
  headLine?: number
  /** The currency of lines that do not name one. */
  currency?: string
  /** How ambiguous days such as 03/04/1990 are read. */
  dates?: (typeof DATE_ORDERS)[number]
  /** How ambiguous amounts such as 1,234 are read. */
  decimals?: (typeof DECIMAL_MARKS)[number]
  /** The lines are logins of a trading server, of which nobody has a file. */
  terminal?: true
}
