/** The audit log: the sentences of mails, and the names on pages to which mails refer. */
export const audit = {
  'audit.verify.action': 'Protokoll prüfen',
  'audit.verify.title': 'Protokoll prüfen',
  'audit.anchor.submit': 'Diese Zeile prüfen',
  'audit.mail.anchor.subject': 'Ihr Protokoll heute',
  'audit.mail.anchor.text':
    'Bewahren Sie diese Zeile auf. Sie beweist, was Ihr Protokoll enthielt, als sie gesendet wurde:\n\n{anchor}\n\nUnter „Protokoll“ nimmt „Protokoll prüfen“ sie an und sagt, ob das Protokoll es noch enthält.',
} as const
