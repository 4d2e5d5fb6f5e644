/** What people call a kind of record, without an article, so that every gender fits. */
const RECORD =
  '{entity, select, account {Konto} ad_connection {Verbindung} adjustment {Korrektur} affiliate {Affiliate} affiliate_code {Code} affiliate_payout {Provisionszahlung} api_key {API-Schlüssel} commission_plan {Provisionsplan} commission_run {Provisionslauf} connection {Verbindung} deposit {Einzahlung} exception {Ausnahme} file {Datei} fx_rate {Kurs} import {Import} kept_record {Aufbewahrte Daten} kyc_document {Dokument} kyc_submission {Identitätsprüfung} mail {E-Mail} payout_destination {Auszahlungsziel} position {Position} psp_connection {Gateway} psp_exception {Ausnahme} sanctions_hit {Treffer} sanctions_list {Sanktionsliste} saved_view {Gespeicherte Ansicht} tenant {Firma} ticket {Ticket} trader {Kunde} trader_alias {Alias} trader_merge {Zusammenführung} transfer {Umbuchung} user {Kollege} wallet {Wallet} webhook_delivery {Zustellung} webhook_subscription {Webhook} withdrawal {Auszahlung} other {{entity}}}'

/** The state of a record; the interface's own name where people have no word for it. */
const STATUS =
  '{status, select, active {aktiv} approved {freigegeben} attached {angehängt} booked {gebucht} cancelled {storniert} cleared {entkräftet} closed {geschlossen} confirmed {bestätigt} converted {umgewandelt} deleted {gelöscht} disabled {abgeschaltet} done {erledigt} failed {fehlgeschlagen} held {liegt hier} invited {eingeladen} loading {wird geladen} open {offen} paid {gezahlt} pending {offen} queued {wartet} refused {abgelehnt} rejected {abgelehnt} replaced {ersetzt} requested {beantragt} resolved {gelöst} revoked {widerrufen} running {läuft} sent {gesendet} settled {verbucht} suspended {gesperrt} undone {rückgängig gemacht} uploaded {hochgeladen} waiting {wartet} other {{status}}}'

/** What the server answers wherever a request is wrong. */
export const problems = {
  'problems.title.400': 'Anfrage nicht lesbar',
  'problems.title.401': 'Nicht angemeldet',
  'problems.title.403': 'Nicht erlaubt',
  'problems.title.404': 'Nicht gefunden',
  'problems.title.405': 'Methode nicht erlaubt',
  'problems.title.408': 'Zu langsam',
  'problems.title.409': 'Konflikt',
  'problems.title.410': 'Nicht mehr da',
  'problems.title.412': 'Inzwischen geändert',
  'problems.title.413': 'Zu groß',
  'problems.title.415': 'Inhaltstyp nicht unterstützt',
  'problems.title.421': 'Unbekannter Host',
  'problems.title.422': 'Ungültige Eingabe',
  'problems.title.429': 'Zu viele Anfragen',
  'problems.title.500': 'Interner Fehler',
  'problems.title.503': 'Zurzeit nicht verfügbar',
  'problems.title.507': 'Kein Platz',
  'problems.error.trader_not_active': 'Der Kunde ist nicht aktiv.',
  'problems.field.not_trader_this_firm': 'ist kein Kunde dieser Firma',
  'problems.field.given_more_than_once': 'ist mehr als einmal angegeben',
  'problems.field.for_staff': 'ist nur für Mitarbeiter',
  'problems.error.this_for_staff_only': 'Das ist nur für Mitarbeiter.',
  'problems.field.not_user_this_firm': 'ist kein Benutzer dieser Firma',
  'problems.error.body_not_valid_json': 'Der Inhalt ist kein gültiges JSON.',
  'problems.field.must_json': 'muss JSON sein',
  'problems.field.not_valid': 'ist nicht gültig',
  'problems.field.not_time_zone_such': 'ist keine Zeitzone wie Europe/Nicosia',
  'problems.field.taken': 'ist schon vergeben',
  'problems.error.some_fields_not_valid': 'Einige Felder sind nicht gültig.',
  'problems.error.card_number':
    'Vollständige Kartennummern werden hier nicht aufbewahrt: Lassen Sie Kartenmarke und letzte vier Ziffern stehen, etwa Visa 4242.',
  'problems.error.credential_not_valid_any':
    'Die Anmeldung ist nicht (mehr) gültig, oder ihre Rolle hat sich geändert.',
  'problems.error.sign_in_or_send': 'Melden Sie sich an, oder senden Sie einen gültigen API-Schlüssel in X-API-Key.',
  'problems.error.your_role_needs_two':
    'Ihre Rolle braucht hier die Anmeldung in zwei Schritten: Schalten Sie sie zuerst ein.',
  'problems.field.must_etag_such_as': 'muss ein ETag wie "3" sein',
  'problems.error.you_view_as_somebody':
    'Sie sehen die Seiten einer anderen Person: Sie können hier lesen, aber nichts ändern und nichts mitnehmen.',
  'problems.field.required': 'ist erforderlich',
  'problems.error.another_has_this_already': `${RECORD}: {column} ist schon vergeben.`,
  'problems.field.refers_to_something_that': `${RECORD}: verweist auf etwas, das es nicht gibt.`,
  'problems.error.document_has_expired': 'Das Dokument ist abgelaufen.',
  'problems.error.destination_in_another_name': 'Das Ziel lautet auf einen anderen Namen.',
  'problems.field.must_one_currency_has':
    'muss genau eine Währung sein: {what, select, order {Eine Reihenfolge nach Betrag} other {{what}}} ergibt über mehrere keinen Sinn',
  'problems.error.body_larger_than':
    'Der Inhalt ist größer als {size} {unit, select, mib {MiB} kib {KiB} other {Bytes}}.',
  'problems.error.send_json_with_content': 'Senden Sie JSON mit Content-Type: application/json.',
  'problems.field.must_application_json': 'muss application/json sein',
  'problems.error.body_nested_too_deep': 'Der Inhalt ist zu tief verschachtelt.',
  'problems.field.must_nested_at_most': 'darf höchstens {maxDepth} Ebenen tief verschachtelt sein',
  'problems.error.body_holds_more_than': 'Der Inhalt hat mehr als {maxValues} Werte.',
  'problems.field.must_hold_at_most': 'darf höchstens {maxValues} Werte haben',
  'problems.error.body_not_valid_utf': 'Der Inhalt ist kein gültiges UTF-8.',
  'problems.field.must_utf_8': 'muss UTF-8 sein',
  'problems.field.must_object': 'muss ein Objekt sein',
  'problems.field.holds_null_byte_or': 'enthält ein Nullbyte oder ein halbes Zeichen',
  'problems.error.address_not_valid_percent': 'Die Adresse ist kein gültig kodiertes UTF-8.',
  'problems.error.address_holds_null_byte': 'Die Adresse enthält ein Nullbyte.',
  'problems.error.path_read_in_two_ways':
    'Der Pfad enthält einen kodierten Punkt oder Schrägstrich oder zwei Schrägstriche hintereinander: Wer die Adresse bildet, muss sie eindeutig schreiben.',
  'problems.field.not_cursor_this_list': 'ist kein Cursor dieser Liste mit diesen Filtern',
  'problems.field.not_cursor': 'ist kein Cursor',
  'problems.error.too_many_bytes_on':
    'Zu viele Daten sind auf dem Weg zu Ihnen oder Ihrer Firma; holen Sie diese ab und wiederholen Sie die Anfrage.',
  'problems.field.must_greater_than_zero': 'muss größer als null sein',
  'problems.field.not_known_currency': 'ist keine bekannte Währung',
  'problems.field.must_at_most_16': 'darf als JSON höchstens 16 KiB groß sein',
  'problems.error.two_sessions':
    'Ihr Browser hat zwei Sitzungen gesendet; löschen Sie die Cookies dieser Seite und melden Sie sich neu an, oder fragen Sie Ihren Administrator.',
  'problems.error.credential_not_valid_any_more': 'Die Anmeldung ist nicht (mehr) gültig.',
  'problems.error.signed_in_browser_may':
    'Ein angemeldeter Browser darf nur von unseren eigenen Seiten aus etwas ändern (Origin oder Sec-Fetch-Site fehlt oder ist fremd).',
  'problems.error.too_many_requests_wait': 'Zu viele Anfragen; warten Sie und wiederholen Sie die Anfrage.',
  'problems.error.too_many_requests_at': 'Zu viele gleichzeitige Anfragen auf einer Verbindung.',
  'problems.error.docs_for_staff':
    'Diese Seite ist für Mitarbeiter: Melden Sie sich zuerst in der Konsole an, oder senden Sie einen API-Schlüssel.',
  'problems.error.this_server_does_not': 'Dieser Server antwortet nicht auf diesen Hostnamen.',
  'problems.error.here_only_answered': 'Hier wird nur {methods} beantwortet.',
  'problems.error.body_could_not_read': 'Der Inhalt konnte nicht gelesen werden.',
  'problems.error.change_made_here_but':
    'Die Änderung ist hier ausgeführt, aber das Replikat hat sie noch nicht. Fragen Sie nach, ob sie dort ist, bevor Sie sie wiederholen, oder wiederholen Sie sie mit demselben Idempotency-Key.',
  'problems.error.replica_out_reach_nothing':
    'Das Replikat ist nicht erreichbar; es wurde nichts geändert. Versuchen Sie es später erneut.',
  'problems.error.starting':
    'Der Server startet gerade: Er liest und schreibt noch nichts. Versuchen Sie es in einer Sekunde erneut.',
  'problems.error.place_taken':
    'Ein anderer Server auf {host} schreibt an den Ort des Replikats; dieser schreibt nichts. Der Betreiber muss einen der beiden anhalten.',
  'problems.error.replaced':
    'Ein Server auf {host} hat mit diesen Daten weitergearbeitet; dieser ist veraltet und antwortet nicht mehr. Gehen Sie zu {url}.',
  'problems.error.change_could_not_saved':
    'Die Änderung konnte jetzt nicht gespeichert werden; es wurde nichts geändert. Versuchen Sie es erneut.',
  'problems.field.must_1_to_255': 'muss aus 1 bis 255 druckbaren ASCII-Zeichen ohne Leerzeichen bestehen',
  'problems.error.request_with_this_idempotency': 'Eine Anfrage mit diesem Idempotency-Key läuft noch.',
  'problems.field.was_used_for_another': 'wurde für eine andere Anfrage verwendet',
  'problems.error.this_operation_does_not': 'Diese Operation nimmt nicht an, was gesendet wurde.',
  'problems.field.not_field_this_operation': 'ist kein Feld dieser Operation',
  'problems.field.must_iso_8601_time': 'muss eine Zeit nach ISO 8601 sein',
  'problems.error.body_took_too_long': 'Der Inhalt kam zu langsam an.',
  'problems.error.there_nothing_here': 'Hier ist nichts.',
  'problems.error.something_went_wrong_here':
    'Hier ist etwas schiefgegangen; es steht unter dieser Anfragenummer im Log.',
  'problems.error.this_cannot_done_any': `${RECORD}: Der Status ist „${STATUS}“; das geht nicht mehr.`,
  'problems.field.current_state': `Aktueller Status: ${STATUS}`,
  'problems.error.somebody_changed_this':
    'Das wurde inzwischen von jemandem geändert. Laden Sie es neu und wiederholen Sie Ihre Änderung.',
  'problems.field.current_version': 'Aktuelle Fassung: {current}',
  'problems.error.server_cannot_take_file':
    'Der Server kann eine Datei dieser Größe gerade nicht annehmen; versuchen Sie es in einer Minute erneut.',
  'problems.field.csv_unreadable': 'ist ab Zeile {line}, Spalte {column} nicht als CSV lesbar',
  'problems.field.csv_long_line': 'hat eine Zeile mit mehr als {most, number} Bytes',
  'problems.field.csv_malformed': 'ist nicht als CSV lesbar: fehlerhaft aufgebaut',
  'problems.field.csv_rows_no_text': 'ist nicht als CSV lesbar: Die Zeilen sind kein Text',
  'problems.field.csv_most_rows': 'darf höchstens {most, number} Zeilen haben',
  'problems.field.csv_no_column': 'ist keine Spalte der Datei',
  'problems.field.csv_filled_twice': '{field} wird schon von einer anderen Spalte gefüllt',
  'problems.field.must_have_at_most': 'darf höchstens {maxItems} Einträge haben',
  'problems.field.must_have_at_least': 'muss mindestens {minItems} Einträge haben',
  'problems.field.must_not_repeat_item': 'darf keinen Eintrag wiederholen',
  'problems.error.other_long_work_running':
    'Eine andere lange Aufgabe läuft; warten Sie und wiederholen Sie die Anfrage.',
  'problems.error.needs_role': 'Dafür ist die Rolle {role} oder höher nötig.',
  'problems.error.key_lacks_scope': 'Diesem Schlüssel fehlt die Berechtigung {scope}.',
  'problems.error.network_sends_too_much':
    'Zu viele Daten sind aus Ihrem Netz unterwegs; warten Sie und wiederholen Sie die Anfrage.',
  'problems.error.all_send_too_much': 'Im Moment kommen zu viele Daten an; warten Sie und wiederholen Sie die Anfrage.',
  'problems.field.must_be': 'erwartet wird {wish}',
  'problems.field.must_be_whole':
    'muss eine ganze Zahl ab {minimum}{isBounded, select, true { bis {maximum}} other {}} sein',
  'problems.field.card_number':
    'darf keine vollständige Kartennummer enthalten; Kartenmarke und letzte vier Ziffern reichen',
  'problems.field.control_character': 'darf das Steuerzeichen U+{code} nicht enthalten (Zeichen {position})',
  'problems.field.too_long':
    'darf höchstens {maxLength, plural, one {{maxLength} Zeichen} other {{maxLength} Zeichen}} haben',
  'problems.field.too_short':
    'muss mindestens {minLength, plural, one {{minLength} Zeichen} other {{minLength} Zeichen}} haben',
  'problems.field.empty': 'darf nicht leer sein',
  'problems.wish.date': 'ein Datum wie 2026-01-31',
  'problems.wish.time': 'eine Zeit wie 2026-01-31T09:00:00Z',
  'problems.wish.date_or_time': 'eine Zeit wie 2026-01-31T09:00:00Z oder ein Datum',
  'problems.wish.email': 'eine Adresse wie ada@example.com',
  'problems.wish.decimal': 'eine Zahl wie 1250.50: Ziffern, und ein Punkt vor höchstens {decimals} Nachkommastellen',
  'problems.wish.share': 'eine Zahl von 0 bis 1 wie 0.25, mit höchstens 6 Nachkommastellen',
  'problems.wish.language': 'ein Sprachcode wie en oder pt-BR',
  'problems.wish.one_line': 'eine Zeile Text, nicht leer',
  'problems.wish.not_blank': 'mehr als Leerzeichen',
  'problems.wish.one_of': 'einer der Werte {values}',
  'problems.wish.format': 'das Format {format}',
  'problems.wish.pattern': 'Text nach dem Muster {pattern}',
  'problems.wish.type': 'ein Wert vom Typ {type}',
  'problems.wish.value': 'ein Wert',
  'problems.wish.either': '{one}, oder {other}',
  'problems.wish.or_null': '{wish}, oder null',
  'problems.wish.several': '{wish}; oder bis zu {most} davon, durch Kommas getrennt',
  'problems.wish.currency': 'ein Währungscode',
  'problems.wish.country': 'ein Ländercode nach ISO 3166-1 alpha-2',
  'problems.wish.user': 'die ID eines Benutzers',
} as const
