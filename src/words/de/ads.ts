/** Ad platforms and their leads. */
export const ads = {
  'ads.problem.bad_signature': 'Die Signatur passt zu keiner Verbindung dieser Seiten.',
  'ads.problem.wrong_verify_token': 'Keine Verbindung hat dieses Prüf-Token.',
  'ads.problem.too_many_waiting':
    'Zu viele Leads dieser Verbindung warten darauf, abgeholt zu werden. Melden Sie sie später noch einmal.',
  'ads.problem.not_active':
    'Die Verbindung ist nicht aktiv. Testen Sie sie, oder schalten Sie sie ein, und versuchen Sie es erneut.',
  'ads.problem.too_many_backfills':
    'Diese Verbindung holt schon zehnmal ältere Leads ab. Warten Sie, bis ein Vorgang abgeschlossen ist.',

  'ads.field.page_crowded': 'Seite {page} gehört schon zu fünf Verbindungen dieser Firma',
  'ads.field.since_future': 'darf nicht in der Zukunft liegen',
  'ads.field.since_too_old': 'darf höchstens 90 Tage zurückliegen: Länger bewahrt die Plattform Leads nicht auf',
  'ads.field.unknown_connection': 'ist keine Verbindung dieser Firma',

  'ads.fault.status': 'Die Plattform antwortete {status}, ohne einen Grund zu nennen.',
  'ads.fault.throttled': 'Die Plattform verlangt eine Pause vor dem nächsten Abruf.',
  'ads.fault.token': 'Die Plattform lehnt das Zugriffstoken ab: {message}',
  'ads.fault.too_large': 'Die Antwort der Plattform war zu groß.',
  'ads.fault.stopped': 'Es kam rechtzeitig keine Antwort.',

  'ads.error.identity': 'Identität: {message}',
  'ads.error.ad_account': 'Werbekonto {id}: {message}',
  'ads.error.page': 'Seite {id}: {message}',

  'ads.lead.not_taken': 'Lead {lead}: {message}',
  'ads.lead.unreadable': 'Die Plattform sandte etwas, das kein Lead ist.',

  'ads.backfill.connection_removed': 'Die Verbindung wurde entfernt.',

  'ads.state.active': 'Aktiv',
  'ads.state.error': 'Fehler',
  'ads.state.disabled': 'Ausgeschaltet',
  'ads.state.running': 'Wird abgeholt',
  'ads.state.waiting': 'Wartet',
  'ads.state.done': 'Erledigt',
  'ads.state.failed': 'Fehlgeschlagen',

  'ads.list.title': 'Werbeplattformen',
  'ads.list.subtitle': 'Zugänge bei sozialen Netzwerken, aus deren Formularen von selbst Leads kommen.',
  'ads.list.new': 'Neue Verbindung',
  'ads.list.name': 'Name',
  'ads.list.pages': 'Seiten',
  'ads.list.last_error': 'Letzter Fehler',
  'ads.list.last_lead': 'Letzter Lead',
  'ads.list.added': 'Hinzugefügt',
  'ads.list.empty_title': 'Noch keine Werbeplattform verbunden',
  'ads.list.empty':
    'Verbinden Sie eine: Wer ein Formular Ihrer Anzeigen ausfüllt, steht einen Moment später bei den Leads.',

  'ads.form.name': 'Name',
  'ads.form.name_example': 'Frühjahrskampagne',
  'ads.form.name_missing': 'Geben Sie der Verbindung einen Namen',
  'ads.form.pages': 'Seiten',
  'ads.form.pages_hint':
    'Die Nummern der Seiten, aus deren Formularen Leads kommen; nach jeder die Eingabetaste drücken',
  'ads.form.ad_account': 'Werbekonto',
  'ads.form.pixel': 'Pixel',
  'ads.form.dataset': 'Datensatz',
  'ads.form.credentials': 'Zugangsdaten',
  'ads.form.replace': 'Zugangsdaten ersetzen',
  'ads.form.keep': 'Alle drei leer lassen, um die aktuellen zu behalten',
  'ads.form.replace_all': 'Neue Zugangsdaten ersetzen alle drei: Füllen Sie auch dieses Feld aus',
  'ads.form.secret_missing': 'Das ist erforderlich',
  'ads.form.access_token': 'Zugriffstoken',
  'ads.form.access_token_hint':
    'Von einem Systembenutzer, der die Leads dieser Seiten lesen darf; es wird nicht noch einmal gezeigt',
  'ads.form.app_secret': 'App-Geheimnis',
  'ads.form.app_secret_hint': 'Damit signiert die Plattform ihre Meldungen',
  'ads.form.verify_token': 'Prüf-Token',
  'ads.form.verify_token_hint': 'Ein selbst gewähltes Wort, das auch bei der Plattform eingegeben wird',
  'ads.form.save': 'Speichern',
  'ads.form.add': 'Verbindung hinzufügen',
  'ads.form.saved': 'Verbindung gespeichert.',
  'ads.form.made': 'Verbindung hinzugefügt. Testen Sie sie als Nächstes.',

  'ads.page.connection': 'Verbindung',
  'ads.page.tested': 'Zuletzt getestet',
  'ads.page.waits': 'Von der Plattform angehalten bis',
  'ads.page.error_title': 'Diese Verbindung funktioniert nicht',
  'ads.page.error': 'Bis ein Test gelingt, wird nichts abgeholt; was die Plattform inzwischen meldet, wird aufbewahrt.',
  'ads.page.disabled_title': 'Diese Verbindung ist ausgeschaltet',
  'ads.page.disabled':
    'Es wird nichts abgeholt. Was die Plattform meldet, wird 30 Tage aufbewahrt und nach dem Einschalten abgeholt.',

  'ads.act.test': 'Verbindung testen',
  'ads.act.more': 'Aktionen',
  'ads.act.edit': 'Bearbeiten',
  'ads.act.disable': 'Ausschalten',
  'ads.act.enable': 'Einschalten',
  'ads.act.remove': 'Entfernen',
  'ads.act.disabled': 'Verbindung ausgeschaltet.',
  'ads.act.enabled': 'Verbindung eingeschaltet.',
  'ads.act.removed': 'Verbindung entfernt.',
  'ads.act.disable_title': 'Diese Verbindung ausschalten',
  'ads.act.disable_text':
    'Solange sie ausgeschaltet ist, werden keine Leads abgeholt. Was die Plattform meldet, wird 30 Tage aufbewahrt.',
  'ads.act.enable_title': 'Diese Verbindung einschalten',
  'ads.act.enable_text': 'Ab jetzt werden Leads wieder abgeholt, auch die, die die Plattform inzwischen gemeldet hat.',
  'ads.act.remove_title': 'Diese Verbindung entfernen',
  'ads.act.remove_confirm': 'Verbindung entfernen',
  'ads.act.remove_text':
    '„{name}“ wird mit den Zugangsdaten entfernt, und was gerade abgeholt wird, bricht ab. Die Leads bleiben.',

  'ads.check.identity': 'Identität',
  'ads.check.ad_account': 'Werbekonto',
  'ads.check.page': 'Seite',
  'ads.test.title': 'Test von {name}',
  'ads.test.asking': 'Die Plattform wird gefragt …',
  'ads.test.fine': 'Alles hat geantwortet: Leads können kommen.',
  'ads.test.fine_again': 'Alles hat geantwortet: Die Verbindung ist wieder aktiv, und was wartete, geht weiter.',
  'ads.test.not_fine':
    'Etwas hat nicht geantwortet. Beheben Sie es bei der Plattform, oder ersetzen Sie die Zugangsdaten, und testen Sie erneut.',
  'ads.test.answered': 'Geantwortet',
  'ads.test.refused': 'Abgelehnt',
  'ads.test.no_name': 'Ohne Namen',
  'ads.test.again': 'Erneut testen',
  'ads.test.close': 'Schließen',

  'ads.backfill.description':
    'Leads eines Formulars aus der Zeit vor der Verbindung. Was schon da ist, wird nicht noch einmal hinzugefügt.',
  'ads.backfill.none': 'Bisher wurden keine abgeholt.',
  'ads.backfill.start': 'Ältere Leads abholen',
  'ads.backfill.submit': 'Abholen',
  'ads.backfill.started': 'Die Leads werden abgeholt.',
  'ads.backfill.form': 'Formular {form}',
  'ads.backfill.since': 'seit',
  'ads.backfill.going': 'Leads werden abgeholt',
  'ads.backfill.counts':
    '{fetched, number} abgeholt: {created, number} neu, {duplicates, number} schon bekannt, {failed, number} fehlgeschlagen',
  'ads.backfill.next': 'Weiter',
  'ads.backfill.form_label': 'Formular',
  'ads.backfill.form_hint': 'Die Nummer des Formulars aus der Formularbibliothek der Plattform',
  'ads.backfill.form_missing': 'Geben Sie die Nummer des Formulars ein',
  'ads.backfill.since_label': 'Seit',
  'ads.backfill.since_hint': 'Die Plattform bewahrt Leads 90 Tage auf',
  'ads.backfill.day_missing': 'Wählen Sie einen Tag',
  'ads.backfill.day_too_old': 'Die Plattform bewahrt Leads nur 90 Tage auf',
  'ads.backfill.day_future': 'Wählen Sie einen vergangenen Tag',

  'ads.guide.title': 'Sofort von neuen Leads erfahren',
  'ads.guide.description':
    'Geben Sie diese Adresse einmal bei der Plattform ein; sie ist für alle Verbindungen dieselbe.',
  'ads.guide.copy': 'Adresse kopieren',
  'ads.guide.address': 'Webhook-Adresse',
  'ads.guide.open': 'Öffnen Sie Ihre App in der Entwicklerkonsole der Plattform, und dort Webhooks, Objekt Page.',
  'ads.guide.paste': 'Geben Sie die obige Adresse als Callback-Adresse ein.',
  'ads.guide.token':
    'Geben Sie das Prüf-Token dieser Verbindung ein und bestätigen Sie: Die Plattform fragt es hier sofort ab.',
  'ads.guide.field': 'Abonnieren Sie das Feld leadgen.',
  'ads.guide.pages': 'Fügen Sie die App jeder Seite dieser Verbindung hinzu.',
  'ads.guide.afterwards':
    'Das Testwerkzeug der Plattform sendet dann einen Lead; er ist einige Sekunden später hier, mit der Herkunft „social“.',

  'ads.backfill.title': 'Ältere Leads',
} as const
