/** The mail that the firm sends. */
export const mail = {
  'mail.waits_here': 'Waits here',
  'mail.on_its_way': 'On its way',
  'mail.sent': 'Sent',
  'mail.mail': 'Mail',
  'mail.subject': 'Subject',
  'mail.written': 'Written',
  'mail.removed': 'Removed',
  'mail.problem': 'Problem',
  'mail.copy_link': 'Copy link',
  'mail.exact_address': 'Exact address',
  'mail.invitations_links_without_mail':
    'Invitations and links. Without a mail server they wait here, for you to pass on yourself.',
  'mail.no_mail': 'No mail',
  'mail.mail_stays_here_as': 'A mail stays here as long as the link in it works.',
  'mail.error.not_by_key': 'The text of a mail is for signed-in people, not for API keys.',
  'mail.error.sent': 'It was sent: the link in it is for whoever reads that mailbox.',
  'mail.error.above_you': 'This mail is for somebody above your role: its link would make you them.',
  'mail.mail.hello': 'Hello {displayName},\n\n{text}',
} as const
