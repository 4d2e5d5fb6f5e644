/** Names a kind of record without an article, so that every gender fits. */
const RECORD =
  '{entity, select, account {Konto} ad_connection {Verbindung} adjustment {Korrektur} affiliate {Affiliate} affiliate_code {Code} affiliate_payout {Provisionszahlung} api_key {API-Schlüssel} commission_plan {Provisionsplan} commission_run {Provisionslauf} connection {Verbindung} deposit {Einzahlung} exception {Abweichung} file {Datei} fx_rate {Kurs} import {Import} kept_record {Aufbewahrte Daten} kyc_document {Dokument} kyc_submission {Identitätsprüfung} mail {E-Mail} payout_destination {Auszahlungsziel} position {Position} psp_connection {Gateway} psp_exception {Abweichung} sanctions_hit {Treffer} sanctions_list {Sanktionsliste} saved_view {Gespeicherte Ansicht} terminal_connection {Handelsserver} tenant {Firma} ticket {Ticket} trader {Kunde} trader_alias {Alias} trader_merge {Zusammenführung} transfer {Umbuchung} user {Kollege} wallet {Wallet} webhook_delivery {Zustellung} webhook_subscription {Webhook} withdrawal {Auszahlung} other {{entity}}}'

/** Names the state of a record, by the interface's own name if people have none for it. */
const STATUS =
  '{status, select, active {aktiv} approved {freigegeben} attached {angehängt} booked {gebucht} cancelled {storniert} cleared {entkräftet} closed {geschlossen} confirmed {bestätigt} converted {umgewandelt} deleted {gelöscht} disabled {abgeschaltet} done {erledigt} failed {fehlgeschlagen} held {liegt hier} invited {eingeladen} loading {wird geladen} open {offen} paid {gezahlt} pending {offen} queued {wartet} refused {abgelehnt} rejected {abgelehnt} replaced {ersetzt} requested {beantragt} resolved {gelöst} revoked {widerrufen} running {läuft} sent {gesendet} settled {verbucht} suspended {gesperrt} undone {rückgängig gemacht} uploaded {hochgeladen} waiting {wartet} other {{status}}}'

/** Answers of the server to wrong requests of any kind. */
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
  'problems.field.client_unknown': 'ist kein Kunde dieser Firma',
  'problems.field.repeated': 'ist mehr als einmal angegeben',
  'problems.field.staff_only': 'ist nur für Mitarbeiter',
  'problems.error.staff_only': 'Das ist nur für Mitarbeiter.',
  'problems.field.user_unknown': 'ist kein Benutzer dieser Firma',
  'problems.error.body_json': 'Der Inhalt ist kein gültiges JSON.',
  'problems.field.json': 'muss JSON sein',
  'problems.field.invalid': 'ist nicht gültig',
  'problems.field.time_zone_unknown': 'ist keine Zeitzone wie Europe/Nicosia',
  'problems.field.taken': 'ist schon vergeben',
  'problems.error.validation': 'Einige Felder sind nicht gültig.',
  'problems.error.card_number':
    'Vollständige Kartennummern werden hier nicht aufbewahrt: Lassen Sie Kartenmarke und letzte vier Ziffern stehen, etwa Visa 4242.',
  'problems.error.credential_changed': 'Die Anmeldung ist nicht (mehr) gültig, oder ihre Rolle hat sich geändert.',
  'problems.error.unauthorized': 'Melden Sie sich an, oder senden Sie einen gültigen API-Schlüssel in X-API-Key.',
  'problems.error.second_factor_required':
    'Ihre Rolle braucht hier die Anmeldung in zwei Schritten: Schalten Sie sie zuerst ein.',
  'problems.field.etag_format': 'muss ein ETag wie "3" sein',
  'problems.error.impersonating':
    'Sie sehen die Seiten einer anderen Person: Sie können hier lesen, aber nichts ändern und nichts mitnehmen.',
  'problems.field.required': 'ist erforderlich',
  'problems.error.duplicate': `${RECORD}: {column} ist schon vergeben.`,
  'problems.field.unknown_reference': `${RECORD}: verweist auf etwas, das es nicht gibt.`,
  'problems.example.document_expired': 'Das Dokument ist abgelaufen.',
  'problems.example.destination_name': 'Das Ziel lautet auf einen anderen Namen.',
  'problems.field.currency_required':
    'muss genau eine Währung sein: {what, select, order {Eine Reihenfolge nach Betrag} other {{what}}} ergibt über mehrere keinen Sinn',
  'problems.error.body_too_large':
    'Der Inhalt ist größer als {size} {unit, select, mib {MiB} kib {KiB} other {Bytes}}.',
  'problems.error.media_type': 'Senden Sie JSON mit Content-Type: application/json.',
  'problems.field.media_type': 'muss application/json sein',
  'problems.error.body_depth': 'Der Inhalt ist zu tief verschachtelt.',
  'problems.field.depth': 'darf höchstens {maxDepth} Ebenen tief verschachtelt sein',
  'problems.error.body_values': 'Der Inhalt hat mehr als {maxValues} Werte.',
  'problems.field.values_too_many': 'darf höchstens {maxValues} Werte haben',
  'problems.error.body_utf8': 'Der Inhalt ist kein gültiges UTF-8.',
  'problems.field.utf8': 'muss UTF-8 sein',
  'problems.field.object': 'muss ein Objekt sein',
  'problems.field.bad_text': 'enthält ein Nullbyte oder ein halbes Zeichen',
  'problems.error.url_encoding': 'Die Adresse ist kein gültig kodiertes UTF-8.',
  'problems.error.url_null_byte': 'Die Adresse enthält ein Nullbyte.',
  'problems.error.path_read_in_two_ways':
    'Der Pfad enthält einen kodierten Punkt oder Schrägstrich oder zwei Schrägstriche hintereinander: Wer die Adresse bildet, muss sie eindeutig schreiben.',
  'problems.field.cursor_of_other_list': 'ist kein Cursor dieser Liste mit diesen Filtern',
  'problems.field.cursor': 'ist kein Cursor',
  'problems.error.too_many_bytes':
    'Zu viele Daten sind auf dem Weg zu Ihnen oder Ihrer Firma; holen Sie diese ab und wiederholen Sie die Anfrage.',
  'problems.field.not_positive': 'muss größer als null sein',
  'problems.field.currency_unknown': 'ist keine bekannte Währung',
  'problems.field.metadata_too_large': 'darf als JSON höchstens 16 KiB groß sein',
  'problems.error.two_sessions':
    'Ihr Browser hat zwei Sitzungen gesendet; löschen Sie die Cookies dieser Seite und melden Sie sich neu an, oder fragen Sie Ihren Administrator.',
  'problems.error.credential_invalid': 'Die Anmeldung ist nicht (mehr) gültig.',
  'problems.error.cross_site':
    'Ein angemeldeter Browser darf nur von unseren eigenen Seiten aus etwas ändern (Origin oder Sec-Fetch-Site fehlt oder ist fremd).',
  'problems.error.rate_limited': 'Zu viele Anfragen; warten Sie und wiederholen Sie die Anfrage.',
  'problems.error.connection_limited': 'Zu viele gleichzeitige Anfragen auf einer Verbindung.',
  'problems.error.docs_for_staff':
    'Diese Seite ist für Mitarbeiter: Melden Sie sich zuerst in der Konsole an, oder senden Sie einen API-Schlüssel.',
  'problems.error.unknown_host': 'Dieser Server antwortet nicht auf diesen Hostnamen.',
  'problems.error.method_not_allowed': 'Hier wird nur {methods} beantwortet.',
  'problems.error.body_unreadable': 'Der Inhalt konnte nicht gelesen werden.',
  'problems.error.replica_behind':
    'Die Änderung ist hier ausgeführt, aber das Replikat hat sie noch nicht. Fragen Sie nach, ob sie dort ist, bevor Sie sie wiederholen, oder wiederholen Sie sie mit demselben Idempotency-Key.',
  'problems.error.replica_away':
    'Das Replikat ist nicht erreichbar; es wurde nichts geändert. Versuchen Sie es später erneut.',
  'problems.error.standby':
    'Dies ist ein Ersatzserver: Er zeigt eine Kopie und ändert nichts. Ändern Sie es auf dem Server, der schreibt: {url}.',
  'problems.error.standby_new':
    'Dies ist ein Ersatzserver, der von seinem Server noch nichts gehört hat: Er ändert nichts. Bitte in einer Minute wiederholen.',
  'problems.error.standby_stale':
    'Dieser Ersatzserver hat keine Kopie, die neu genug zum Lesen ist; sein Betreiber sieht, warum.',
  'problems.error.standby_upgrade':
    'Dieser Ersatzserver hat eine andere Version als der Server, der schreibt; er muss zuerst aktualisiert werden.',
  'problems.error.starting':
    'Der Server startet gerade: Er liest und schreibt noch nichts. Versuchen Sie es in einer Sekunde erneut.',
  'problems.error.place_unknown':
    'Der Ort des Replikats antwortet nicht, und ein zweiter Rechner kann übernommen haben; dieser Server schreibt nichts, bis er es weiß.',
  'problems.error.place_taken':
    'Ein anderer Server auf {host} schreibt an den Ort des Replikats; dieser schreibt nichts. Der Betreiber muss einen der beiden anhalten.',
  'problems.error.replaced':
    'Ein Server auf {host} hat mit diesen Daten weitergearbeitet; dieser ist veraltet und antwortet nicht mehr. Gehen Sie zu {url}.',
  'problems.error.unavailable':
    'Die Änderung konnte jetzt nicht gespeichert werden; es wurde nichts geändert. Versuchen Sie es erneut.',
  'problems.field.idempotency_key_format': 'muss aus 1 bis 255 druckbaren ASCII-Zeichen ohne Leerzeichen bestehen',
  'problems.error.idempotency_in_progress': 'Eine Anfrage mit diesem Idempotency-Key läuft noch.',
  'problems.field.idempotency_mismatch': 'wurde für eine andere Anfrage verwendet',
  'problems.error.unknown_fields': 'Diese Operation nimmt nicht an, was gesendet wurde.',
  'problems.field.unknown_field': 'ist kein Feld dieser Operation',
  'problems.field.time_format': 'muss eine Zeit nach ISO 8601 sein',
  'problems.error.too_slow': 'Der Inhalt kam zu langsam an.',
  'problems.error.not_found': 'Hier ist nichts.',
  'problems.error.internal': 'Hier ist etwas schiefgegangen; es steht unter dieser Anfragenummer im Log.',
  'problems.error.wrong_state': `${RECORD}: Der Status ist „${STATUS}“; das geht nicht mehr.`,
  'problems.field.state_now': `Aktueller Status: ${STATUS}`,
  'problems.error.version_conflict':
    'Das wurde inzwischen von jemandem geändert. Laden Sie es neu und wiederholen Sie Ihre Änderung.',
  'problems.field.version_now': 'Aktuelle Fassung: {current}',
  'problems.error.spool_full':
    'Der Server kann eine Datei dieser Größe gerade nicht annehmen; versuchen Sie es in einer Minute erneut.',
  'problems.field.csv_unreadable': 'ist ab Zeile {line}, Spalte {column} nicht als CSV lesbar',
  'problems.field.csv_long_line': 'hat eine Zeile mit mehr als {most, number} Bytes',
  'problems.field.csv_malformed': 'ist nicht als CSV lesbar: fehlerhaft aufgebaut',
  'problems.field.csv_rows_no_text': 'ist nicht als CSV lesbar: Die Zeilen sind kein Text',
  'problems.field.csv_most_rows': 'darf höchstens {most, number} Zeilen haben',
  'problems.field.workbook_too_large': 'enthält mehr, als gelesen werden kann: Speichern Sie das Blatt als CSV',
  'problems.field.workbook_no_sheet': 'ist kein Blatt der Arbeitsmappe',
  'problems.field.workbook_unreadable':
    'ist keine lesbare Excel-Arbeitsmappe (.xlsx): Speichern Sie sie ohne Kennwort als .xlsx oder als CSV',
  'problems.field.csv_empty': 'hat keine Zeile',
  'problems.field.csv_no_head': 'muss eine der ersten {most} nicht leeren Zeilen der Datei sein',
  'problems.field.csv_no_column': 'ist keine Spalte der Datei',
  'problems.field.csv_filled_twice': '{field} wird schon von einer anderen Spalte gefüllt',
  'problems.field.items_too_many': 'darf höchstens {maxItems} Einträge haben',
  'problems.field.items_too_few': 'muss mindestens {minItems} Einträge haben',
  'problems.field.items_repeated': 'darf keinen Eintrag wiederholen',
  'problems.error.busy': 'Eine andere lange Aufgabe läuft; warten Sie und wiederholen Sie die Anfrage.',
  'problems.error.needs_role':
    'Dafür ist die Rolle {role, select, viewer {Betrachter} operator {Sachbearbeiter} manager {Manager} admin {Administrator} owner {Inhaber} platform_admin {Plattform-Admin} other {{role}}} oder höher nötig.',
  'problems.error.scope_missing': 'Diesem Schlüssel fehlt die Berechtigung {scope}.',
  'problems.error.network_sends_too_much':
    'Zu viele Daten sind aus Ihrem Netz unterwegs; warten Sie und wiederholen Sie die Anfrage.',
  'problems.error.all_send_too_much': 'Im Moment kommen zu viele Daten an; warten Sie und wiederholen Sie die Anfrage.',
  'problems.field.wished': 'erwartet wird {wish}',
  'problems.field.whole_number':
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
  'problems.wish.https_server': 'die https-Adresse eines Servers wie https://trade.example.com:443, ohne Pfad',
  'problems.wish.login_number': 'eine Zahl aus höchstens 19 Ziffern wie 1000',
  'problems.wish.language': 'ein Sprachcode wie en oder pt-BR',
  'problems.wish.one_line': 'eine Zeile Text, nicht leer',
  'problems.wish.not_blank': 'mehr als Leerzeichen',
  'problems.wish.one_of': 'einer der Werte {values}',
  'problems.wish.format': 'das Format {format}',
  'problems.wish.pattern': 'Text nach dem Muster {pattern}',
  'problems.wish.list': 'eine Liste',
  'problems.wish.type': 'ein Wert vom Typ {type}',
  'problems.wish.value': 'ein Wert',
  'problems.wish.either': '{one}, oder {other}',
  'problems.wish.or_null': '{wish}, oder null',
  'problems.wish.several': '{wish}; oder bis zu {most} davon, durch Kommas getrennt',
  'problems.wish.currency': 'ein Währungscode',
  'problems.wish.country': 'ein Ländercode nach ISO 3166-1 alpha-2',
  'problems.wish.user': 'die ID eines Benutzers, oder none für niemanden',
} as const
