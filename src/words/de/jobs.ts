/** Results of runs of background jobs. */
export const jobs = {
  'jobs.mails_sent': '{sent} gesendet, {failed} nicht angenommen',
  'jobs.passwords_forgotten':
    '{forgotten, plural, one {Passwörter von # Konto} other {Passwörter von # Konten}} vergessen',
  'jobs.mails_removed': '{removed, plural, one {{removed} E-Mail} other {{removed} E-Mails}} entfernt',
  'jobs.sign_ins_expired':
    '{sessions, plural, one {{sessions} Sitzung} other {{sessions} Sitzungen}}, {links, plural, one {{links} Link} other {{links} Links}} abgelaufen',
  'jobs.readers_counted':
    'An einem Tag gelesene Kunden vermerkt, für {lines, plural, one {{lines} Leser} other {{lines} Leser}}',
  'jobs.logs_anchored': '{sent, plural, one {{sent} Protokoll} other {{sent} Protokolle}} bezeugt',
  'jobs.commissions_finished': '{done, plural, one {{done} Provisionslauf} other {{done} Provisionsläufe}} beendet',
  'jobs.files_removed': '{removed, plural, one {{removed} Datei} other {{removed} Dateien}} entfernt',
  'jobs.persons_erased':
    '{erased, plural, one {{erased} Person} other {{erased} Personen}} gelöscht{kept, plural, =0 {} other {, {kept} behalten, weil noch Geld da ist}}',
  'jobs.records_erased': 'Aufbewahrte Daten gelöscht: {erased, plural, one {{erased}} other {{erased}}}',
  'jobs.accounts_alone':
    '{settled, plural, one {{settled} Zugang gehört} other {{settled} Zugänge gehören}} jetzt allein dem Inhaber',
  'jobs.tickets_noted': '{noted, plural, one {{noted} Ticket} other {{noted} Tickets}} vermerkt',
  'jobs.webhooks_sent': '{sent, plural, one {{sent} Versuch} other {{sent} Versuche}}',
  'jobs.webhook_rows_removed': '{removed, plural, one {{removed} Zeile} other {{removed} Zeilen}} entfernt',
  'jobs.alarms_told': '{told, plural, one {{told} Warnung} other {{told} Warnungen}} gesendet, {over} vorbei',
  'jobs.clicks_forgotten':
    '{addresses, plural, one {{addresses} Adresse} other {{addresses} Adressen}}, {clicks, plural, one {{clicks} Klick} other {{clicks} Klicks}} entfernt',
  'jobs.approvals_lapsed': '{lapsed, plural, one {{lapsed} Freigabe} other {{lapsed} Freigaben}} verfallen',
  'jobs.analysis_made':
    '{files, plural, one {# Datei} other {# Dateien}} für Auswertungen, {rows, plural, one {# Zeile} other {# Zeilen}}',
  'jobs.import_steps': '{steps, plural, one {{steps} Schritt} other {{steps} Schritte}} von Importen',
  'jobs.import_forgotten': 'Text von {lines, plural, one {# Zeile} other {# Zeilen}} entfernt',
  'jobs.leads_fetched': '{done, plural, one {{done} Abruf} other {{done} Abrufe}} von Leads',
  'jobs.lead_notices_removed':
    '{removed, plural, one {{removed} Nachricht} other {{removed} Nachrichten}} über Leads entfernt',
  'jobs.clients_screened':
    '{screened, plural, one {{screened} Kunde} other {{screened} Kunden}} abgeglichen, {found, plural, one {{found} Treffer} other {{found} Treffer}}',
  'jobs.ledgers_checked':
    '{checked, plural, one {{checked} Firma} other {{checked} Firmen}} geprüft, {faulty} mit Fehlern{failed, plural, =0 {} other {, {failed} nicht prüfbar}}',
  'jobs.ledger_unchecked': 'die Prüfung schlug fehl; das Log sagt, warum',
  'jobs.kept_removed':
    '{answers, plural, one {{answers} gemerkte Antwort} other {{answers} gemerkte Antworten}}, {runs, plural, one {{runs} Lauf} other {{runs} Läufe}} von Aufgaben entfernt',
} as const
