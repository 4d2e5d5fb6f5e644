/** Reports and the SQL sandbox. */
export const reports = {
  'reports.period.range': 'must be between 1900 and 2999',
  'reports.period.order': 'must be after from',
  'reports.period.long': 'at most {most, number} days are reported at once',
  'reports.too_long': 'The report took too long or too much memory. Ask for a shorter period.',
  'reports.too_long.todo': 'Ask for a shorter period.',
} as const
