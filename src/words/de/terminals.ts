import { terminalsConsole as console } from './terminals-console.ts'

/** Handelsserver, mit denen Brokerbase selbst spricht. */
export const terminals = {
  'terminals.fault.not_resolved': 'Der Name des Handelsservers ist nicht bekannt. Prüfen Sie die Adresse.',
  'terminals.fault.blocked_address':
    'Die Adresse ist privat, und nur öffentliche werden aufgerufen. Lassen Sie ihr Netz mit BROKERBASE_ALLOWED_NETWORKS zu.',
  'terminals.fault.connect_timeout':
    'Innerhalb von zehn Sekunden antwortete niemand. Prüfen Sie, ob die Adresse dieses Rechners auf der Liste des Handelsservers und seiner Firewall steht.',
  'terminals.fault.connection_failed':
    'Der Handelsserver lehnte die Verbindung ab ({reason}). Prüfen Sie Adresse und Port.',
  'terminals.fault.certificate_untrusted':
    'Dem Zertifikat ist nicht zu trauen ({reason}). Vergleichen Sie seinen Fingerabdruck mit dem Ihres Servers und legen Sie ihn fest.',
  'terminals.fault.certificate_changed':
    'Der Server hat ein anderes Zertifikat: {presented} statt {expected}. Fragen Sie den Betreiber, und legen Sie dann das neue fest.',
  'terminals.fault.wrong_proof':
    'Der Server kennt das Passwort dieses Logins nicht, ist also nicht der, der er zu sein vorgibt. Es wurde nichts an ihn gesandt.',
  'terminals.fault.refused_session': 'Der Handelsserver lehnte die Sitzung ab.',
  'terminals.fault.lost': 'Die Verbindung endete, bevor die Antwort vollständig war ({reason}).',
  'terminals.fault.not_an_answer':
    'Was zurückkam, ist keine Antwort eines Handelsservers. Prüfen Sie, ob ein Proxy dazwischen ist.',
  'terminals.fault.too_large': 'Eine Antwort war größer als 32 MiB und wurde nicht gelesen.',
  'terminals.fault.busy':
    'Der Handelsserver ist ausgelastet oder wird zu oft gefragt ({retcode}). Er wird seltener gefragt.',
  'terminals.fault.bad_request':
    'Der Handelsserver versteht eine Anfrage nicht ({retcode}). Nennen Sie uns seine Version.',
  'terminals.fault.no_right': 'Dem Login fehlt dafür ein Recht ({retcode}). Der Test sagt, welches.',
  'terminals.fault.wrong_account':
    'Login oder Passwort ist falsch. Gemeint ist das API-Passwort des Managerkontos, nicht das zum Handeln.',
  'terminals.fault.wrong_account_type': 'Der Login ist von anderer Art. Es braucht ein Managerkonto.',
  'terminals.fault.account_disabled': 'Der Login ist abgeschaltet. Schalten Sie ihn in der Verwaltung des Servers ein.',
  'terminals.fault.version_too_old': 'Der Handelsserver verlangt ein neueres Programm. Aktualisieren Sie Brokerbase.',
  'terminals.fault.no_manager':
    'Der Login hat keine Manager-Konfiguration. Legen Sie in der Verwaltung des Servers eine an.',
  'terminals.fault.address_not_allowed':
    'Der Server lässt diese Adresse nicht ein. Tragen Sie die Adresse dieses Rechners beim Manager ein.',
  'terminals.fault.password_must_change': 'Das Passwort des Logins muss zuerst am Server geändert werden.',
  'terminals.fault.one_time_password': 'Der Login verlangt Einmalpasswörter, die ein Programm nicht geben kann.',
  'terminals.fault.connection_not_allowed':
    'Der Manager darf die Web-API nicht benutzen. Erlauben Sie „Connect using Manager“.',
  'terminals.fault.api_disabled': 'Die Web-API ist aus. Schalten Sie sie am Zugangsserver ein.',
  'terminals.fault.clock':
    'Die Uhr des Handelsservers geht mehr als zwei Minuten falsch. Bis sie richtig geht, wird nichts gelesen.',
  'terminals.fault.unexpected_code': 'Der Handelsserver antwortete mit einem unerwarteten Code ({retcode}).',

  'terminals.problem.simulator_refused': 'Den Simulator gibt es nur in der Firma der Demo.',
  'terminals.problem.too_many': 'Eine Firma hat höchstens {most} Verbindungen.',
  'terminals.problem.exists': 'Zu diesem Server gibt es schon eine Verbindung.',
  'terminals.problem.changed_meanwhile':
    'Es wurde inzwischen geändert, oder es wartet nichts mehr. Sehen Sie noch einmal nach.',
  'terminals.problem.waits': 'Niemand sonst in dieser Firma kann es bestätigen, also dürfen Sie es: ab {at}.',
  'terminals.problem.another_confirms':
    'Das bestätigt eine andere Person: ein Admin oder Inhaber, der es nicht eingegeben hat.',
  'terminals.problem.owner_enters': 'Das gibt nur ein Inhaber ein, angemeldet in der Konsole.',
  'terminals.problem.not_on_terminal': 'Kein Handelsserver, den Brokerbase liest, hat dieses Konto.',
  'terminals.problem.one_test': 'Ein Test läuft. Warten Sie auf sein Ende.',
  'terminals.problem.too_many_tests': 'Es gab zehn Tests in einer Stunde. Versuchen Sie es später erneut.',
  'terminals.problem.nothing_pending': 'Es wartet nichts auf eine Bestätigung, also gibt es nichts zu testen.',

  'terminals.field.password_again':
    'wird noch einmal gebraucht: Ein Passwort geht nie an einen Ort, für den es nicht eingegeben wurde',
  'terminals.field.certificate_needed': 'wird für dieses Vertrauen gebraucht',
  'terminals.field.certificate_useless': 'muss bei öffentlichem Vertrauen leer sein',
  'terminals.field.certificate_pin':
    'muss aus den 64 Hexadezimalziffern von SHA-256 bestehen oder das PEM einer Zertifizierungsstelle sein',
  'terminals.field.money_not_yet': 'geht noch nicht: Dieser Server wird gelesen, und dort wird kein Geld gebucht',
  'terminals.field.since_range': 'muss zwischen dem Jahr 2000 und jetzt liegen',

  'terminals.test.certificate.fine': 'Das Zertifikat ist das, dem vertraut wird.',
  'terminals.test.certificate.look_closer': 'Das Zertifikat endet am {end, date, medium}.',
  'terminals.test.sign_in.fine': 'Angemeldet, Version {build}.',
  'terminals.test.clock.fine': 'Die Uhr des Servers geht UTC {minutes, number} Minuten voraus.',
  'terminals.test.clock.fails': 'Die Uhr des Servers geht {seconds, number} Sekunden falsch.',
  'terminals.test.groups.fine': '{count, plural, one {# Gruppe wird} other {# Gruppen werden}} gelesen.',
  'terminals.test.groups.fails': 'Keine Gruppe des Servers passt zu den Masken.',
  'terminals.test.groups.look_closer': 'Nicht gelesen, weil ihre Währung hier unbekannt ist: {names}.',
  'terminals.test.right.fine': 'Der Login darf das.',
  'terminals.test.right.fails': 'Dem Login fehlt: {rights}.',
  'terminals.test.needless.look_closer': 'Der Login hat Rechte, die er nicht braucht und nicht haben sollte: {rights}.',
  'terminals.test.needless.fine': 'Der Login hat kein Recht, das er nicht braucht.',
  'terminals.right.connect': 'Verbindung als Manager',
  'terminals.right.accounts': 'Zugriff auf Konten',
  'terminals.right.trades': 'Zugriff auf Aufträge und Positionen',
  'terminals.right.money': 'Buchhaltung',
  'terminals.right.change': 'Konten ändern',
  'terminals.right.personal': 'persönliche Angaben',
  'terminals.right.technical': 'technische Konten',
  'terminals.right.administrator': 'Verbindung als Administrator',
  'terminals.right.delete': 'Konten löschen',
  'terminals.right.edit_trades': 'Geschäfte ändern',

  'terminals.mail.subject.entered': 'Ein Handelsserver wartet auf eine Bestätigung: {name}',
  'terminals.mail.entered':
    '{by} hat Einstellungen des Handelsservers „{name}“ eingegeben: {fields}. Sie gelten erst, wenn ein anderer Admin oder Inhaber sie bestätigt hat. Wenn das niemand erwartet hat, fragen Sie nach, bevor jemand bestätigt.',
  'terminals.mail.subject.confirmed': 'Ein Handelsserver wurde bestätigt: {name}',
  'terminals.mail.confirmed':
    '{by} hat die Einstellungen des Handelsservers „{name}“ bestätigt: {fields}. Brokerbase glaubt ab jetzt, was dieser Server meldet.',
  'terminals.mail.subject.outage': 'Der Handelsserver {name} antwortet nicht',
  'terminals.mail.outage':
    'Brokerbase hat von „{name}“ seit {since, date, medium} {since, time, short} nichts gelesen. {reason} Was von seinen Konten gezeigt wird, ist der Stand von damals.',

  'audit.entity.terminal_login': 'Login',
  'audit.entity.terminal_deal': 'Geschäft eines Handelsservers',
  'audit.entity.terminal_finding': 'Befund eines Handelsservers',
  'audit.entity.terminal_connection': 'Handelsserver',
  'audit.field.driver': 'Art des Servers',
  'audit.field.trust': 'Vertrauen',
  'audit.field.certificate': 'Zertifikat',
  'audit.field.login': 'Login',
  'audit.field.groups': 'Gruppen',
  'audit.field.money': 'Geld',
  'audit.field.readEvery': 'Gelesen alle',
  'audit.field.requestsPerSecond': 'Anfragen pro Sekunde',
  'audit.field.paused': 'Pausiert',
  'audit.field.enteredBy': 'Eingegeben von',
  'audit.field.enteredAt': 'Eingegeben',
  'audit.field.entry': 'Nummer der Eingabe',
  'audit.field.pending': 'Wartet auf eine zweite Person',

  ...console,
}
