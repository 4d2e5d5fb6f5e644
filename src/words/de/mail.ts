/** The mail that the firm sends. */
export const mail = {
  'mail.mail.hello': 'Guten Tag {displayName},\n\n{text}',
} as const
