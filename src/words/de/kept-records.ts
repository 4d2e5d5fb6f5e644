/** Records of erased clients that the law keeps. */
export const keptRecords = {
  'kept-records.title': 'Aufbewahrte Daten',
  'kept-records.about':
    'Was die Firma von gelöschten Kunden nach dem Gesetz aufbewahren muss, versiegelt. Niemand liest es ohne Grund, und jeder Inhaber erfährt davon.',
  'kept-records.none': 'Es sind keine Daten aufbewahrt',
  'kept-records.none_about':
    'Sie entstehen, wenn ein Kunde gelöscht wird, der freigegebene Dokumente, eine verbuchte Einzahlung oder eine gezahlte Auszahlung hatte.',
  'kept-records.number': 'Nummer',
  'kept-records.reason.label': 'Aufbewahrt wegen',
  'kept-records.reason.documents': 'Dokumente',
  'kept-records.reason.money': 'Geld',
  'kept-records.reason.both': 'Dokumente und Geld',
  'kept-records.sealed_at': 'Versiegelt',
  'kept-records.until': 'Aufbewahrt bis',
  'kept-records.open': 'Öffnen',
  'kept-records.open_one': '{id} öffnen',
  'kept-records.open_title': 'Diese Daten öffnen',
  'kept-records.open_about':
    'Sie bekommen alles Aufbewahrte als eine Datei. Ihr Grund geht ins Protokoll und an alle Inhaber. Zu welchem Kunden die Daten gehören, steht im Protokoll bei der Löschung des Kunden.',
  'kept-records.open_reason': 'Warum sie geöffnet werden',
  'kept-records.open_missing': 'Geben Sie an, warum sie geöffnet werden',
  'kept-records.opened': 'Die Daten liegen in Ihren Downloads.',
  'kept-records.mail.opened': '{displayName} hat aufbewahrte Daten geöffnet',
  'kept-records.mail.opened_text':
    '{displayName} hat die aufbewahrten Daten {id} eines gelöschten Kunden geöffnet, mit diesem Grund:\n\n{reason}\n\nWenn das nicht beabsichtigt war, sehen Sie ins Protokoll:\n{publicUrl}/admin/audit',
} as const
