/** The log of who did what. */
export const audit = {
  'audit.by': 'By',
  'audit.changed': 'Changed',
  'audit.people': 'People only',
} as const
