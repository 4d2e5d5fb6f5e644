import { MERGED_HOURS, MOST_LABELS, RESTORE_DAYS } from '../rule-figures.ts'

/** Merging two clients, and the privacy bundle. */
export const merges = {
  'merges.mail.merged': '{displayName} hat einen Kunden zusammengeführt, dessen Daten das Gesetz aufbewahren lässt',
  'merges.mail.merged_text': `{displayName} hat einen Kunden mit Dokumenten oder Geld mit einem anderen zusammengeführt. Der weggelegte Eintrag wird in ${RESTORE_DAYS} Tagen gelöscht; was das Gesetz davon aufbewahren lässt, wird vorher versiegelt. Der Kunde, der bleibt: {url}`,
  'merges.error.needs_admin':
    'Der zweite Kunde hat Geld, es ist Geld unterwegs, oder das Gesetz verlangt, dass die Firma Daten aufbewahrt: Ein Administrator führt die beiden zusammen.',
  'merges.error.needs_person':
    'Der zweite Kunde hat Geld, es ist Geld unterwegs, oder das Gesetz verlangt, dass die Firma Daten aufbewahrt: Eine Person führt die beiden zusammen, kein Schlüssel.',
  'merges.error.two_affiliates': 'Beide Kunden sind Affiliates. Schließen Sie zuerst einen der beiden.',
  'merges.error.lately': `Sie haben diesen Kunden in den letzten ${MERGED_HOURS} Stunden mit einem anderen zusammengeführt oder könnten einer von beiden gewesen sein: Eine andere Person gibt frei.`,
  'merges.error.taken': 'Ein anderer Kunde hat diese E-Mail-Adresse schon.',
  'merges.error.email_taken': 'ist vergeben',
  'merges.error.same': 'ist derselbe Kunde wie der erste',
  'merges.error.unknown': 'ist kein Kunde dieser Firma',
  'merges.error.staff_only': 'Das ist nur für Mitarbeiter.',
  'merges.kyc.closed':
    'Wir prüfen die Dokumente Ihrer anderen Registrierung. Danach können Sie wieder Dokumente einreichen.',
  'merges.ledger.description': 'Zwei Kunden zusammengeführt',
  'privacy.error.not_by_key':
    'Eine Datenauskunft oder aufbewahrte Daten sind für einen angemeldeten Inhaber, nicht für einen API-Schlüssel.',
  'privacy.error.too_soon':
    'Zu diesem Kunden wurde in der letzten Stunde schon eine Datenauskunft erstellt. Warten Sie {minutes, plural, one {# Minute} other {# Minuten}}.',
  'merges.page.title': 'Zwei Kunden zusammenführen',
  'merges.page.subtitle':
    'Für zwei Einträge derselben Person. Alles geht an den ersten über; der zweite wird endgültig gelöscht.',
  'merges.page.swap': 'Tauschen',
  'merges.page.primary': 'Bleibt',
  'merges.page.primary_help': 'Der Eintrag, der erhalten bleibt',
  'merges.page.secondary': 'Entfällt',
  'merges.page.secondary_help': 'Das Duplikat, dessen Daten übergehen',
  'merges.page.choose': 'Wählen Sie zwei Kunden',
  'merges.page.choose_help':
    'Dann sehen Sie, was überginge, was beide haben und was verloren ginge, bevor etwas geschieht.',
  'merges.page.same': 'Beide sind derselbe Kunde',
  'merges.page.same_help': 'Wählen Sie auf einer der beiden Seiten einen anderen.',
  'merges.page.needs_admin':
    'Der zweite Kunde hat Geld, es ist Geld unterwegs, oder das Gesetz verlangt, dass die Firma Daten aufbewahrt; ein Administrator führt die beiden daher zusammen.',
  'merges.page.merge': 'Zusammenführen',
  'merges.page.done': '{secondary} gehört jetzt zu {primary}.',
  'merges.page.confirm_title': '{secondary} mit {primary} zusammenführen',
  'merges.page.confirm_text': `Das lässt sich nicht rückgängig machen. {secondary} kann sich nicht mehr anmelden, und offene Auszahlungen beider müssen neu freigegeben werden. Sie geben ${MERGED_HOURS} Stunden lang keine Auszahlung von {primary} frei.`,
  'merges.side.title': 'Gegenüberstellung',
  'merges.side.field': 'Feld',
  'merges.side.stays': 'Bleibt',
  'merges.side.goes': 'Entfällt',
  'merges.field.name': 'Name',
  'merges.field.identity': 'Identität',
  'merges.field.level': 'Stufe {level}',
  'merges.field.since': 'Seit',
  'merges.preview.moves': 'Geht über',
  'merges.preview.moves_help': 'Von {secondary} an {primary}',
  'merges.preview.held': 'reserviert',
  'merges.preview.nothing': 'Nichts',
  'merges.preview.collides': 'Haben beide',
  'merges.preview.collides_help': 'Was eins wird, und wie',
  'merges.preview.lost': 'Geht verloren',
  'merges.preview.lost_help': 'Von {secondary}, wo {primary} anderes oder nichts hat',
  'merges.kind.account': '{count, plural, one {# Handelskonto} other {# Handelskonten}}',
  'merges.kind.adjustment': '{count, plural, one {# Korrektur} other {# Korrekturen}}',
  'merges.kind.deposit': '{count, plural, one {# Einzahlung} other {# Einzahlungen}}',
  'merges.kind.kyc_document': '{count, plural, one {# Dokument} other {# Dokumente}}',
  'merges.kind.kyc_submission': '{count, plural, one {# Identitätsprüfung} other {# Identitätsprüfungen}}',
  'merges.kind.lead': '{count, plural, one {# Lead} other {# Leads}}',
  'merges.kind.payout_destination': '{count, plural, one {# Auszahlungsziel} other {# Auszahlungsziele}}',
  'merges.kind.position': '{count, plural, one {# Position} other {# Positionen}}',
  'merges.kind.sanctions_hit': '{count, plural, one {# Sanktionstreffer} other {# Sanktionstreffer}}',
  'merges.kind.ticket': '{count, plural, one {# Ticket} other {# Tickets}}',
  'merges.kind.trader_note': '{count, plural, one {# Notiz} other {# Notizen}}',
  'merges.kind.transfer': '{count, plural, one {# Umbuchung} other {# Umbuchungen}}',
  'merges.kind.withdrawal': '{count, plural, one {# Auszahlung} other {# Auszahlungen}}',
  'merges.collision.kyc_submission':
    'Wartende Dokumente: Die des bleibenden Kunden werden weiter geprüft, die anderen geschlossen.',
  'merges.collision.payout_destination':
    '{count, plural, one {# Auszahlungsziel wird} other {# Auszahlungsziele werden}} mit dem gleichen des anderen eins.',
  'merges.collision.sanctions_hit':
    '{count, plural, one {# Sanktionstreffer wird} other {# Sanktionstreffer werden}} mit dem gleichen des anderen eins; die strengere Entscheidung bleibt.',
  'merges.collision.approval':
    '{count, plural, one {# offene Auszahlung verliert ihre Freigaben} other {# offene Auszahlungen verlieren ihre Freigaben}}.',
  'merges.lost.metadata': 'Daten anderer Programme',
  'merges.lost.kycLevel': 'Höhere Identitätsstufe',
  'merges.lost.segments': `Segmente über ${MOST_LABELS} hinaus`,
  'merges.lost.tags': `Stichwörter über ${MOST_LABELS} hinaus`,
  'merges.lost.password': 'Passwort',
} as const
