/** Sanctions: the sentences of mails. */
export const sanctions = {
  'sanctions.mail.list_forced': '{name} hat eine abgelehnte Sanktionsliste geladen: {source}',
  'sanctions.mail.list_forced_text':
    '{name} hat eine Liste geladen, obwohl sie unvollständig aussieht oder ein anderes Format hat. Kunden werden mit dem abgeglichen, was sie enthält. Wenn Sie das nicht erwartet haben, laden Sie die richtige Datei:\n{publicUrl}/admin/sanctions?tab=lists',
  'sanctions.mail.screening_failed.subject': 'Sanktionsliste nicht in Gebrauch: {source} {listVersion}',
  'sanctions.mail.screening_failed.text':
    'Die Liste wurde geladen, aber der Abgleich aller Kunden mit ihr {failure, select, slow {dauerte über 30 Minuten} other {schlug dreimal fehl}}. {isRestored, select, true {Die vorherige Liste ist wieder in Gebrauch.} other {Von dieser Quelle gab es noch keine Liste, daher ist jetzt keine in Gebrauch: Niemand wird mit ihr abgeglichen.}}\n\nLaden Sie sie noch einmal, oder bitten Sie um Hilfe, wenn es wieder fehlschlägt:\n{publicUrl}/admin/sanctions?tab=lists',
} as const
