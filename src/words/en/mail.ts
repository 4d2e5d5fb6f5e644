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
  'mail.send_again': 'Send again',
  'mail.send': 'Send',
  'mail.goes_to_recipients':
    '{count, plural, one {It goes to its recipient as it was written.} other {# mails go to their recipients as they were written.}}',
  'mail.only_held_and_failed': 'Only mail that waits here or failed is sent again.',
  'mail.copy_link': 'Copy link',
  'mail.exact_address': 'Exact address',
  'mail.invitations_links_without_mail':
    'Invitations and links. Without a mail server they wait here, for you to pass on yourself.',
  'mail.no_mail': 'No mail',
  'mail.mail_stays_here_as': 'A mail stays here as long as the link in it works.',
  'mail.error.not_by_key': 'The text of a mail is for signed-in people, not for API keys.',
  'mail.error.sent': 'It was sent: the link in it is for whoever reads that mailbox.',
  'mail.error.no_server':
    'No mail server is configured; whoever runs this installation sets one (BROKERBASE_SMTP_HOST). Until then pass the link on yourself.',
  'mail.error.over': 'The link in it is over. Whoever sent it makes a new one, such as “Send invitation again”.',
  'mail.error.above_you': 'This mail is for somebody above your role: its link would make you them.',
  'mail.mail.hello': 'Hello {displayName},\n\n{text}',
  'mail.failure.no_recipient': 'The mail has no single valid recipient.',
  'mail.failure.timeout': 'The mail was not accepted in time.',
  'mail.failure.refused': 'The mail was not accepted: {reason}',
  'mail.failure.unknown': 'The mail was not accepted: unknown reason',
} as const
