/** The mail that the firm sends. */
export const mail = {
  'mail.status.held': 'Wartet hier',
  'mail.status.queued': 'Unterwegs',
  'mail.status.sent': 'Gesendet',
  'mail.mail': 'E-Mails',
  'mail.subject': 'Betreff',
  'mail.written': 'Geschrieben',
  'mail.removed': 'Wird entfernt',
  'mail.problem': 'Problem',
  'mail.send.title': 'Erneut senden',
  'mail.send.submit': 'Senden',
  'mail.send.about':
    '{count, plural, one {Sie geht an ihren Empfänger, wie sie geschrieben wurde.} other {# E-Mails gehen an ihre Empfänger, wie sie geschrieben wurden.}}',
  'mail.send.not_selectable': 'Nur E-Mails, die hier warten oder fehlgeschlagen sind, werden erneut gesendet.',
  'mail.link.copy': 'Link kopieren',
  'mail.filter.recipient': 'Genaue Adresse',
  'mail.about': 'Einladungen und Links. Ohne Mailserver warten sie hier, damit Sie sie selbst weitergeben.',
  'mail.empty.title': 'Keine E-Mails',
  'mail.empty.about': 'Eine E-Mail bleibt hier, solange der Link darin gilt.',
  'mail.error.not_by_key': 'Der Text einer E-Mail ist für angemeldete Personen, nicht für API-Schlüssel.',
  'mail.error.sent': 'Die E-Mail wurde gesendet; ihr Link ist nur noch für den Inhaber des Postfachs.',
  'mail.error.no_server':
    'Es ist kein Mailserver eingerichtet; wer diese Installation betreibt, richtet einen ein (BROKERBASE_SMTP_HOST). Geben Sie den Link bis dahin selbst weiter.',
  'mail.error.over':
    'Der Link in dieser E-Mail gilt nicht mehr. Senden Sie einen neuen, etwa mit „Einladung erneut senden“.',
  'mail.error.above_you':
    'Diese E-Mail ist für jemanden über Ihrer Rolle: Mit dem Link könnten Sie sich als diese Person anmelden.',
  'mail.mail.hello': 'Guten Tag {displayName},\n\n{text}',
  'mail.failure.no_recipient': 'Die E-Mail hat nicht genau einen gültigen Empfänger.',
  'mail.failure.timeout': 'Die E-Mail wurde nicht rechtzeitig angenommen.',
  'mail.failure.refused': 'Die E-Mail wurde nicht angenommen: {reason}',
  'mail.failure.unknown': 'Die E-Mail wurde nicht angenommen: Grund unbekannt',
} as const
