/** The audit log: what letters say. */
export const audit = {
  'audit.mail.your_audit_log_today': 'Ihr Protokoll heute',
  'audit.mail.keep_this_line_it':
    'Bewahren Sie diese Zeile auf. Sie beweist, was Ihr Protokoll enthielt, als sie gesendet wurde:\n\n{anchor}\n\nUnter „Protokoll“ nimmt „Prüfen“ sie an und sagt, ob das Protokoll es noch enthält.',
} as const
