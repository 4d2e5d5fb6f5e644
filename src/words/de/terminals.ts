import { PASSWORD_LINK_HOURS } from '../rule-figures.ts'
import { terminalOrders } from './terminal-orders.ts'
import { terminalsConsole as console } from './terminals-console.ts'
import { terminalsRecords as records } from './terminals-records.ts'

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
  'terminals.problem.unconfirmed': 'Erst muss ein anderer Admin oder Inhaber diese Verbindung bestätigen.',
  'terminals.problem.not_connected':
    'Der Handelsserver wird gerade nicht gelesen. Sehen Sie auf der Seite der Verbindung nach, und versuchen Sie es wieder, sobald sie steht.',
  'terminals.problem.no_answer': 'Der Handelsserver hat nicht geantwortet. Versuchen Sie es später noch einmal.',
  'terminals.problem.all_linked': 'Jeder dieser Logins hat hier schon ein Konto, also ist niemand mehr zu übernehmen.',
  'terminals.problem.one_test': 'Ein Test läuft. Warten Sie auf sein Ende.',
  'terminals.problem.too_many_tests': 'Es gab zehn Tests in einer Stunde. Versuchen Sie es später erneut.',
  'terminals.problem.nothing_pending': 'Es wartet nichts auf eine Bestätigung, also gibt es nichts zu testen.',

  'terminals.field.password_again':
    'wird noch einmal gebraucht: Ein Passwort geht nie an einen Ort, für den es nicht eingegeben wurde',
  'terminals.field.certificate_needed': 'wird für dieses Vertrauen gebraucht',
  'terminals.field.certificate_useless': 'muss bei öffentlichem Vertrauen leer sein',
  'terminals.field.certificate_pin':
    'muss aus den 64 Hexadezimalziffern von SHA-256 bestehen oder das PEM einer Zertifizierungsstelle sein',
  'terminals.field.since_range': 'muss zwischen dem Jahr 2000 und jetzt liegen',

  'terminals.field.group_unknown': 'ist keine Gruppe, die diese Verbindung liest',
  'terminals.field.too_many_logins':
    'muss weniger Gruppen nennen: Höchstens {most, number} Logins kommen auf einmal herein',
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
  'audit.entity.terminal_day': 'Tag eines Handelsservers',
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

  'terminals.problem.in_use':
    'Etwas, das von diesem Server verlangt wurde, ist nicht zu Ende. Warten Sie, oder entscheiden Sie es zuerst.',
  'terminals.problem.not_read_since':
    'Der Handelsserver wurde seit dem Zurückspielen der Kopie noch nicht lange genug vollständig gelesen. Warten Sie drei Minuten, und versuchen Sie es dann wieder.',
  'terminals.problem.references_open':
    'Der Handelsserver hat Geld unter Referenzen von uns, die hier keine Umbuchung sind. Schließen Sie zuerst diese Befunde ab.',
  'terminals.problem.terminal_decides':
    'Der Handelsserver selbst bucht diese Umbuchung oder lehnt sie ab. Nur was er unklar ließ, entscheidet ein Mensch.',
  'terminals.problem.deal_differs': 'Der Handelsserver hat keinen solchen Deal, oder Login oder Betrag sind andere.',
  'terminals.problem.deal_used': 'Dieser Deal ist schon eine andere Umbuchung.',
  'terminals.problem.admin_explains': 'Ab der Schwelle der Firma nennt ein Admin oder Inhaber solches Geld erklärt.',
  'terminals.problem.linker_explains':
    'Sie haben dieses Konto in den letzten 30 Tagen verknüpft: Jemand anderes nennt dieses Geld erklärt.',
  'terminals.problem.acknowledge_it':
    'Das wird bei der Umbuchung entschieden: Sagen Sie dort, ob sie gebucht oder abgelehnt wurde.',
  'terminals.field.transfer_unknown': 'ist keine Umbuchung dieser Firma',
  'terminals.problem.login_unknown': 'Der Handelsserver führt dieses Konto nicht, oder nicht als Echtgeldkonto.',
  'terminals.field.deal_number': 'braucht die Nummer des Deals auf dem Handelsserver',
  'terminals.answer.other': 'Der Handelsserver hat es abgelehnt ({answer}).',
  'terminals.answer.3': 'Der Handelsserver nennt die Anfrage falsch (3).',
  'terminals.answer.8': 'Dem Login von Brokerbase fehlt auf dem Handelsserver das Recht dazu (8).',
  'terminals.answer.13': 'Der Handelsserver hat kein solches Konto (13).',
  'terminals.answer.3002': 'Der Handelsserver hat keine freie Nummer für ein Konto (3002).',
  'terminals.answer.3003': 'Diese Nummer gehört zu einem anderen Server (3003).',
  'terminals.answer.3004': 'Das Konto gibt es auf dem Handelsserver schon (3004).',
  'terminals.answer.3005': 'Der Handelsserver eröffnet keine Konten (3005).',
  'terminals.answer.3006': 'Dem Handelsserver ist das Passwort zu einfach (3006).',
  'terminals.answer.3007': 'Der Handelsserver nimmt keine weiteren Konten (3007).',
  'terminals.answer.3008': 'Das Konto hat offene Orders oder Positionen (3008).',
  'terminals.answer.3009': 'Die Gruppe liegt auf einem anderen Server (3009).',
  'terminals.answer.3010': 'Die Gruppe hat eine andere Währung (3010).',
  'terminals.answer.3019': 'Der Handelsserver nimmt auf diesem Weg keine weiteren Konten (3019).',
  'terminals.answer.4005': 'Der Betrag ist größer, als der Handelsserver annimmt (4005).',
  'terminals.answer.10019': 'Auf dem Konto ist nicht genug Geld (10019).',
  'terminals.answer.not_enough_free': 'Auf dem Konto ist weniger frei: Positionen und Kredit halten den Rest.',
  'terminals.answer.currency_differs': 'Das Konto hat auf dem Handelsserver eine andere Währung.',
  'terminals.answer.too_many_places': 'Der Betrag hat mehr Stellen als die Währung des Kontos auf dem Handelsserver.',
  'terminals.answer.reference_used': 'Der Handelsserver hat unter dieser Referenz einen anderen Deal.',
  'terminals.answer.no_login': 'Der Handelsserver führt das Konto nicht.',
  'terminals.answer.not_applied': 'Der Handelsserver hat es angenommen und nichts geändert.',
  'terminals.problem.terminal_account':
    'Was dieses Konto hat, sagt der Handelsserver selbst: Währung, Hebel und Kontostand werden hier nicht geändert.',
  'terminals.problem.note_required':
    'Der Handelsserver nennt zu diesem Login eine andere Person. Eine Notiz sagt, warum es das des Kunden ist.',
  'terminals.problem.not_ready': 'Dieser Handelsserver ist noch nicht bestätigt, oder er ist pausiert.',
  'terminals.problem.change_waits':
    'Eine Änderung derselben Art ist zum Handelsserver unterwegs. Warten Sie darauf, oder nehmen Sie sie zurück.',
  'terminals.problem.manager_changes': 'Das ändert auf einem Handelsserver nur ein Manager.',
  'terminals.field.connection_unknown': 'ist kein Handelsserver dieser Firma',
  'terminals.field.group_currency': 'die Gruppe hat eine andere Währung',
  'terminals.field.change_one_of': 'genau eines von leverage, group, trading, signIn und password ist nötig',
  'terminals.answer.no_group': 'Der Handelsserver hat keine solche Gruppe, oder sie wird nicht gelesen.',
  'terminals.answer.client_not_allowed':
    'Es wurde nicht gesendet: Der Kunde ist nicht mehr aktiv, oder seine Prüfung ist nicht fertig.',
  'terminals.answer.client_gone': 'Das Konto wurde auf dem Handelsserver eröffnet, aber der Kunde ist hier gelöscht.',
  'terminals.answer.number_taken':
    'Das Konto wurde auf dem Handelsserver eröffnet, aber seine Nummer hat hier das Konto eines anderen Kunden.',
  'terminals.mail.subject.opened': 'Ihr Handelskonto bei {firmName}',
  'terminals.mail.opened': `Guten Tag {firstName},\n\nIhr Handelskonto {login} ist eröffnet. Sehen Sie seine Passwörter hier innerhalb von ${PASSWORD_LINK_HOURS} Stunden an; sie werden einmal gezeigt:\n\n{url}\n\nBei {firmName} kennt sie niemand.`,
  'terminals.mail.subject.password': 'Ein neues Passwort für Ihr Handelskonto bei {firmName}',
  'terminals.mail.password': `Guten Tag {firstName},\n\nIhr Handelskonto {login} hat ein neues Passwort. Sehen Sie es hier innerhalb von ${PASSWORD_LINK_HOURS} Stunden an; es wird einmal gezeigt:\n\n{url}\n\nBei {firmName} kennt es niemand.`,
  'terminals.mail.subject.held': 'Bei {names} wird kein Geld bewegt, bis ein Inhaber es sagt',
  'terminals.mail.held':
    'Die Datenbank von Brokerbase ist eine Kopie, die zurückgespielt wurde. Bei {names} kann Geld gebucht worden sein, von dem sie nichts weiß. Sehen Sie die Befunde dieser Server an, schließen Sie ab, was erklärt ist, und schalten Sie dann das Geld wieder ein.',
  'audit.entity.terminal_instruction': 'Auftrag an einen Handelsserver',
  'audit.field.transferId': 'Umbuchung',
  'audit.field.linkUntil': 'Link gültig bis',
  'audit.field.sentAt': 'Gesendet',
  'audit.field.nextAt': 'Nächster Blick',
  'audit.field.looks': 'Blicke',
  'audit.field.tries': 'Versuche und Blicke',
  'audit.field.answer': 'Antwort des Servers',
  'audit.field.moneyHeldAt': 'Geld angehalten seit',

  ...console,
  ...records,
  ...terminalOrders,
}
