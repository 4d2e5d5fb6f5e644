/** Kept records: the sentences of mails. */
export const keptRecords = {
  'kept-records.mail.opened': '{displayName} hat aufbewahrte Daten geöffnet',
  'kept-records.mail.opened_text':
    '{displayName} hat die aufbewahrten Daten {id} eines gelöschten Kunden geöffnet, mit diesem Grund:\n\n{reason}\n\nWenn das nicht beabsichtigt war, sehen Sie ins Protokoll:\n{publicUrl}/admin/audit',
} as const
