/** Amounts and rates that cannot be read. */
export const money = {
  'money.error.currency_unknown': 'The currency is not known.',
  'money.error.amount_range': 'The amount is too large.',
  'money.error.amount_malformed': 'The amount is not a plain decimal number.',
  'money.error.amount_scale': '{currency} amounts have at most {scale} decimals.',
  'money.error.rate_malformed': 'The rate is not a plain decimal number above zero.',
  'money.error.rate_digits': 'The rate has too many digits.',
  'money.error.rate_zero': 'The rate must be above zero.',
} as const
