/** Amounts and rates that cannot be read. */
export const money = {
  'money.error.currency_unknown': 'Diese Währung ist nicht bekannt.',
  'money.error.amount_range': 'Der Betrag ist zu groß.',
  'money.error.amount_malformed': 'Der Betrag ist keine einfache Dezimalzahl.',
  'money.error.amount_scale': 'Beträge in {currency} haben höchstens {scale} Nachkommastellen.',
  'money.error.rate_malformed': 'Der Kurs ist keine einfache Dezimalzahl über null.',
  'money.error.rate_digits': 'Der Kurs hat zu viele Stellen.',
  'money.error.rate_zero': 'Der Kurs muss über null liegen.',
} as const
