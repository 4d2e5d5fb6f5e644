/** The audit log: what letters say, and what they name on its page. */
export const audit = {
  'audit.check_log': 'Protokoll prüfen',
  'audit.check_audit_log': 'Protokoll prüfen',
  'audit.check_this_line': 'Diese Zeile prüfen',
  'audit.mail.your_audit_log_today': 'Ihr Protokoll heute',
  'audit.mail.keep_this_line_it':
    'Bewahren Sie diese Zeile auf. Sie beweist, was Ihr Protokoll enthielt, als sie gesendet wurde:\n\n{anchor}\n\nUnter „Protokoll“ nimmt „Protokoll prüfen“ sie an und sagt, ob das Protokoll es noch enthält.',
} as const
