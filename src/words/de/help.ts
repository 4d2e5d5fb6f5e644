import { PAY_WITHIN_DAYS, REOPEN_DAYS, RESTORE_DAYS, SUM_HOURS } from '../rule-figures.ts'

/** The help of each page, its words and its tasks. */
export const help = {
  'help.about.home': 'Was auf Sie wartet, und wie die Firma steht. Jede Zahl führt zu ihren Zeilen.',
  'help.task.home.1': 'Nehmen Sie das Älteste unter „Zu tun“: Jede Rolle sieht, was sie entscheiden kann.',
  'help.task.home.2': 'Drücken Sie auf einen Balken: Sie sehen die Ein- und Auszahlungen seines Tages.',
  'help.about.traders':
    'Alle, die bei der Firma Geld oder ein Konto haben. Öffnen Sie einen Kunden, um alles über ihn zu sehen.',
  'help.task.traders.1': 'Sachbearbeiter: mit „Neuer Kunde“ einen Kunden anlegen, oder mehrere auf einmal ändern.',
  'help.task.traders.2':
    'Sachbearbeiter: einen Kunden auf seiner Seite sperren oder schließen. Manager: ihn wieder öffnen oder löschen.',
  'help.about.client':
    'Alles über einen Kunden. Ein Stift ändert einen Wert an Ort und Stelle; „Alles bearbeiten“ öffnet das ganze Formular.',
  'help.task.client.1': 'Sachbearbeiter: Angaben ändern, eine Notiz schreiben, eine Ein- oder Auszahlung anlegen.',
  'help.task.client.2':
    'Manager: das Risiko senken, eine Sperre setzen, und Name, Land oder Geburtsdatum nach der Freigabe der Dokumente ändern.',
  'help.task.client.3': `Manager: einen gelöschten Kunden binnen ${RESTORE_DAYS} Tagen wiederherstellen.`,
  'help.about.import': 'Übernimmt Kunden, Konten und Anfangssalden aus einem anderen System, mit einer Datei.',
  'help.task.import.1': 'Administrator: die Datei laden, Fehler beheben, die Kontrollsummen eingeben und importieren.',
  'help.task.import.2':
    'Ein anderer Administrator mit einem Zugang nur für sich: bestätigen. Erst dann werden Salden gebucht.',
  'help.about.merge': 'Macht aus zwei Einträgen derselben Person einen. Den zweiten gibt es danach nicht mehr.',
  'help.task.merge.1':
    'Manager: die Vorschau ansehen, dann zusammenführen. Hat der zweite Eintrag Geld oder freigegebene Dokumente, tut es ein Administrator.',
  'help.about.deposits': 'Geld, das hereinkommt. Eine Einzahlung wird angekündigt und beim Verbuchen gutgeschrieben.',
  'help.task.deposits.1': 'Sachbearbeiter: eine Einzahlung nach dem Kontoauszug anlegen oder eine offene stornieren.',
  'help.task.deposits.2':
    'Manager: mit dem eingegangenen Betrag verbuchen. Ist er kleiner, wird teilweise verbucht, mit einer Notiz.',
  'help.task.deposits.3':
    'Ab der Schwelle: Zwei Personen verbuchen denselben Betrag, wenn der Kunde sie angekündigt hat.',
  'help.about.withdrawals':
    'Geld, das hinausgeht: beantragt, freigegeben, gezahlt. Ab dem Antrag ist der Betrag in der Wallet reserviert.',
  'help.task.withdrawals.1':
    'Manager: die Prüfungen lesen, dann freigeben oder ablehnen. Ab der Schwelle geben zwei Personen frei.',
  'help.task.withdrawals.2':
    'Manager: Freigegebenes bei der Bank senden und dann mit der Zahlungsreferenz als gezahlt markieren.',
  'help.task.withdrawals.3': 'Sachbearbeiter: einen Antrag stornieren, den der Kunde nicht mehr will.',
  'help.about.kyc':
    'Dokumente, die beweisen, wer ein Kunde ist. Entschieden wird über alle einer Einreichung zusammen.',
  'help.task.kyc.1':
    'Manager: jedes Dokument ansehen, dann freigeben (A) oder ablehnen (R). Nicht, was man selbst hochgeladen hat.',
  'help.task.kyc.2': 'Sachbearbeiter: Dokumente für einen Kunden einreichen.',
  'help.about.sanctions': 'Kunden, die einem Eintrag einer Sanktionsliste ähneln. Kunden erfahren nie davon.',
  'help.task.sanctions.1': 'Manager: beide Seiten vergleichen, dann den Treffer entkräften oder bestätigen.',
  'help.task.sanctions.2': 'Zwei andere Personen: einen bestätigten Treffer entkräften.',
  'help.task.sanctions.3': 'Administrator: eine neue Liste laden. Alle Kunden werden mit ihr abgeglichen.',
  'help.about.support': 'Anfragen von Kunden, die früheste Frist zuoberst.',
  'help.task.support.1': 'Sachbearbeiter: antworten. Dann wartet das Ticket auf den Kunden, und seine Fristen ruhen.',
  'help.task.support.2': `Sachbearbeiter: schließen, wenn alles erledigt ist; binnen ${REOPEN_DAYS} Tagen lässt es sich wieder öffnen.`,
  'help.about.leads': 'Menschen, die Kunden werden könnten.',
  'help.task.leads.1': 'Sachbearbeiter: einen Lead anlegen, weiterführen und in einen Kunden umwandeln.',
  'help.task.leads.2': 'Manager: mehrere auf einmal zuweisen, eine Datei importieren, einen Lead entfernen.',
  'help.about.affiliates': 'Kunden, die Kunden bringen, und was sie daran verdienen.',
  'help.task.affiliates.1': 'Manager: Code, Plan oder Status ändern, oder eine Provisionszahlung beantragen.',
  'help.task.affiliates.2':
    'Administrator: die Provisionen berechnen, dann Zahlungen freigeben. Ab der Schwelle geben zwei Administratoren frei.',
  'help.about.positions': 'Was Kunden auf den Handelsplattformen halten, wie die Plattformen es gemeldet haben.',
  'help.task.positions.1': 'Alle: lesen. „Exposure“ zeigt je Symbol, wie viel long und short offen ist.',
  'help.about.accounts':
    'Handelskonten der Kunden auf den Plattformen. Geöffnet zeigt eines, was sein Handelsserver sagt. Die eigenen Bücher der Firma sind die Wallets.',
  'help.task.accounts.1': 'Sachbearbeiter: ein Konto einem Kunden zuordnen, oder es ändern.',
  'help.task.accounts.2': 'Manager: ein Konto löschen, auf dem und zu dem kein Geld unterwegs ist.',
  'help.about.wallets': 'Was die Firma jedem Kunden schuldet, nach Währung. Öffnen Sie eine für ihre Bewegungen.',
  'help.task.wallets.1':
    'Alle: lesen. Salden ändern sich nur durch Einzahlungen, Auszahlungen, Umbuchungen und Korrekturen.',
  'help.about.transfers': 'Geld zwischen den Wallets eines Kunden, und zwischen Wallets und Handelskonten.',
  'help.task.transfers.1': 'Sachbearbeiter: Geld eines Kunden auf ein Konto oder eine andere Wallet umbuchen.',
  'help.task.transfers.2': 'Manager: an einen anderen Kunden umbuchen, oder Geld von einem Konto zurückholen.',
  'help.task.transfers.3':
    'Ein Manager, der nicht beantragt hat: festhalten, was die Plattform getan hat, wenn keine Brücke es meldet.',
  'help.about.adjustments': 'Gutschriften und Belastungen von Hand. Vor der Freigabe bewegt sich nichts.',
  'help.task.adjustments.1': 'Manager: eine Korrektur beantragen, mit dem Grund.',
  'help.task.adjustments.2': 'Ein Administrator, der nicht beantragt hat: freigeben oder ablehnen.',
  'help.about.rates': 'Preise von Währungen, für Umrechnungen, Grenzen und Berichte.',
  'help.task.rates.1': 'Administrator: einen Kurs der Firma eingeben. Frühere bleiben erhalten.',
  'help.task.rates.2': 'Ein anderer Administrator: einen Kurs bestätigen, der springt, indem er fast denselben sendet.',
  'help.about.ledger': 'Jede Bewegung von Geld, der Reihe nach. Jede hat zwei gleich große Seiten.',
  'help.task.ledger.1': 'Manager: nachsehen, wie ein Saldo entstanden ist. Hier wird nichts geändert.',
  'help.about.reports': 'Wie die Firma lief, nach Tagen ihrer Zeitzone und in ihrer Währung.',
  'help.task.reports.1': 'Manager: die Tage wählen, lesen, und einen Bericht als Datei speichern.',
  'help.about.sql': 'Fragen an die Zeilen der Firma, wo keine Seite antwortet. Es wird nur gelesen.',
  'help.task.sql.1': 'Inhaber: eine Abfrage auf einmal stellen. Ihr Text steht im Protokoll.',
  'help.about.keys':
    'Schlüssel, mit denen Programme für die Person handeln, die sie angelegt hat, nie mit mehr als deren Rolle.',
  'help.task.keys.1':
    'Administrator: einen Schlüssel mit möglichst wenigen Berechtigungen anlegen. Sein Text wird einmal gezeigt.',
  'help.task.keys.2': 'Administrator: einen Schlüssel widerrufen. Er endet sofort.',
  'help.about.webhooks': 'Adressen, die von Ereignissen erfahren, etwa einer verbuchten Einzahlung.',
  'help.task.webhooks.1': 'Administrator: einen Empfänger hinzufügen, seine Ereignisse wählen, einen Test senden.',
  'help.task.webhooks.2': 'Administrator: einen Empfänger öffnen, die Zustellungen ansehen und erneut senden.',
  'help.about.gateways': 'Zahlungsdienste, die Einzahlungen melden, und was davon den Büchern widerspricht.',
  'help.task.gateways.1': 'Administrator: ein Gateway mit seinem Geheimnis anschließen.',
  'help.task.gateways.2':
    'Manager: eine Abweichung mit Grund schließen, und mit der Einzahlung, die die Zahlung gebucht hat.',
  'help.about.platforms': 'Handelsserver, die Brokerbase selbst liest, und was dort nicht stimmt.',
  'help.task.platforms.1': 'Inhaber: einen Server verbinden und ändern, wohin die Verbindung führt.',
  'help.task.platforms.2':
    'Administrator: testen, bestätigen, was ein Inhaber eingegeben hat, anhalten, Geld abschalten.',
  'help.task.platforms.3': 'Manager: Befunden nachgehen und schließen, was erklärt ist.',
  'help.about.ads': 'Werbeplattformen, deren Formulare von selbst Leads bringen.',
  'help.task.ads.1': 'Administrator: eine Plattform verbinden und testen.',
  'help.task.ads.2': 'Manager: die Leads vergangener Tage abrufen.',
  'help.about.users': 'Die Kollegen der Firma, und wessen Zugang wem gehört.',
  'help.task.users.1':
    'Administrator: einen Kollegen einladen, eine Rolle bis zur eigenen ändern, einen Zugang sperren.',
  'help.task.users.2': 'Administrator: für einen Zugang bürgen, sobald er einen zweiten Faktor hat.',
  'help.about.audit': 'Wer was wann getan hat. Nichts davon lässt sich ändern.',
  'help.task.audit.1': 'Manager: nach Person, Eintrag oder Tag filtern, und eine Zeile für vorher und nachher öffnen.',
  'help.task.audit.2':
    'Administrator: das Protokoll prüfen, als Beweis, dass keine Zeile geändert oder entfernt wurde.',
  'help.about.views': 'Wer die Konsole als jemand anderes angesehen hat, und warum.',
  'help.task.views.1': 'Inhaber: auf der Seite eines Kunden oder im Menü eines Kollegen mit einem Grund beginnen.',
  'help.about.kept': 'Was die Firma nach dem Gesetz von gelöschten Kunden aufbewahrt, versiegelt.',
  'help.task.kept.1': 'Inhaber: mit einem Grund öffnen. Alle Inhaber werden per E-Mail benachrichtigt.',
  'help.about.mail': 'Was die Firma gesendet hat, und was ohne Mailserver zurückgehalten wird.',
  'help.task.mail.1':
    'Administrator: Fehlgeschlagenes oder Zurückgehaltenes erneut senden, oder Zurückgehaltenes lesen und weitergeben.',
  'help.about.settings': 'Wie die Firma arbeitet: Name, Freigaben, Fristen, Sicherheit.',
  'help.task.settings.1': 'Administrator: Name, Farben, Plattformen und Fristen ändern.',
  'help.task.settings.2': 'Inhaber: Freigaben, Währungswechsel und Sicherheit ändern.',
  'help.about.tenants': 'Die Firmen dieser Installation. Sie teilen sich den Rechner und sehen nichts voneinander.',
  'help.task.tenants.1': 'Plattform-Administrator: eine Firma anlegen, umbenennen, sperren.',
  'help.about.system': 'Ob es dieser Installation gut geht: Sicherungen, Aufgaben, Zertifikate, Speicherplatz.',
  'help.task.system.1': 'Plattform-Administrator: einen Snapshot erstellen, eine Probe oder eine Aufgabe starten.',
  'help.about.recovery': 'Der Schlüssel, der jede Sicherung dieser Installation öffnet, als 24 Wörter.',
  'help.task.recovery.1':
    'Plattform-Administrator: die Wörter aufschreiben, dann bestätigen, dass sie aufbewahrt sind.',
  'help.about.security': 'Ihre Anmeldung: Passwort, zweiter Schritt, Sprache, und wo Sie angemeldet sind.',
  'help.task.security.1':
    'Schalten Sie die Anmeldung in zwei Schritten ein: Ohne sie zählen Ihre Freigaben von Geld womöglich nicht.',
  'help.task.security.2': 'Beenden Sie eine Sitzung, die Sie nicht kennen.',

  'help.term.partial': 'Teilweise verbucht',
  'help.means.partial':
    'Es kam weniger als angekündigt. Das Eingegangene wird gutgeschrieben, und die Einzahlung ist abgeschlossen.',
  'help.term.pending': 'Offen',
  'help.means.pending': 'Angekündigt, und noch nicht gutgeschrieben.',
  'help.term.first_approval': 'Erste Bestätigung',
  'help.means.first_approval':
    'Eine Person hat den Betrag bestätigt. Gutgeschrieben wird, wenn eine andere denselben verbucht.',
  'help.term.four_eyes': 'Vier Augen',
  'help.means.four_eyes':
    'Zwei verschiedene Personen geben frei, jede mit einem Zugang nur für sich. Bei einer Auszahlung ist eine davon Administrator.',
  'help.term.threshold': 'Schwelle',
  'help.means.threshold': `Ab diesem Betrag sind zwei Personen nötig; der Inhaber legt ihn fest. Was eine Person in ${SUM_HOURS} Stunden für einen Kunden tat, zählt zusammen.`,
  'help.term.reference': 'Referenz',
  'help.means.reference':
    'Wie die Zahlung bei der Bank oder beim Gateway heißt. Eine, die es schon gab, wird zunächst abgelehnt.',
  'help.term.available': 'Verfügbar',
  'help.means.available':
    'Was in der Wallet und nicht reserviert ist: Der Kunde kann es auszahlen lassen oder umbuchen.',
  'help.term.held': 'Reserviert',
  'help.means.held':
    'Zurückgelegt für etwas, das wartet, etwa eine Auszahlung; wird sie abgelehnt, ist es wieder frei.',
  'help.term.destination': 'Ziel',
  'help.means.destination': 'Wohin das Geld geht: Bankkonto, Karte, E-Wallet oder Krypto-Adresse, mit Kontoinhaber.',
  'help.term.checks': 'Prüfungen',
  'help.means.checks':
    'Was die Bücher zu Kunde, Geld und Ziel sagen. Trotz „auffällig“ freizugeben, braucht eine Notiz.',
  'help.term.lapsed': 'Verfallen',
  'help.means.lapsed': `Freigegeben und nicht binnen ${PAY_WITHIN_DAYS} Tagen gezahlt. Klären Sie zuerst, ob es gesendet wurde.`,
  'help.term.hold': 'Rechtliche Sperre',
  'help.means.hold': 'Kein Geld geht hinaus, und nichts vom Kunden wird gelöscht. Eine andere Person hebt sie auf.',
  'help.term.risk': 'Risiko',
  'help.means.risk': 'Wie genau die Firma auf den Kunden achtet. Nur ein Manager senkt es.',
  'help.term.level': 'KYC-Stufe',
  'help.means.level':
    'Wofür die freigegebenen Dokumente reichen. Unter der Stufe, die der Inhaber gesetzt hat, geht kein Geld hinaus.',
  'help.term.final': 'Endgültig abgelehnt',
  'help.means.final': 'Von da an reichen nur Mitarbeiter Dokumente dieses Kunden ein.',
  'help.term.match': 'Treffer',
  'help.means.match':
    'Name und Angaben ähneln denen eines Eintrags. Offen oder bestätigt hält er Auszahlungen und Gutschriften an.',
  'help.term.cleared': 'Entkräftet',
  'help.means.cleared': 'Nicht dieselbe Person. Sagt der Eintrag später mehr als bisher, ist der Treffer wieder offen.',
  'help.term.first_reply': 'Erste Antwort fällig',
  'help.means.first_reply': 'Bis dahin hat der Kunde eine Antwort. Es zählen die Arbeitszeiten der Einstellungen.',
  'help.term.paused': 'Ruht',
  'help.means.paused': 'Das Ticket wartet auf den Kunden, und seine Fristen laufen nicht.',
  'help.term.internal': 'Interne Notiz',
  'help.means.internal': 'Für Kollegen. Der Kunde sieht sie nie.',
  'help.term.convert': 'Umwandeln',
  'help.means.convert':
    'Macht den Lead zum Kunden, oder ordnet ihm den Kunden mit dieser Adresse zu. Das geschieht nur einmal.',
  'help.term.junk': 'Unbrauchbar',
  'help.means.junk': 'Niemand, der Kunde werden könnte. Ein solcher Lead kann nur wieder „Neu“ werden.',
  'help.term.code': 'Code',
  'help.means.code': 'Steht in den Links eines Affiliates. Wer darüber kommt, zählt als dessen Kunde.',
  'help.term.plan': 'Plan',
  'help.means.plan':
    'Die Regeln, nach denen ein Affiliate verdient. Eine Änderung ist eine neue Fassung mit einem Beginn.',
  'help.term.payout': 'Provisionszahlung',
  'help.means.payout': 'Was ein Affiliate von seinem Verdienst verlangt. Es geht auf seine eigene Wallet.',
  'help.term.exposure': 'Exposure',
  'help.means.exposure': 'Offenes Volumen je Symbol: gekauft (long), verkauft (short) und die Differenz (netto).',
  'help.term.swap': 'Swap',
  'help.means.swap': 'Was eine Position kostet oder bringt, weil sie über Nacht offen ist.',
  'help.term.equity': 'Equity',
  'help.means.equity': 'Der Saldo mit dem Gewinn offener Positionen, wie er gemeldet wurde.',
  'help.term.demo': 'Demo',
  'help.means.demo': 'Ein Konto mit Spielgeld. Niemand verdient daran eine Provision.',
  'help.term.sent': 'An die Plattform gesendet',
  'help.means.sent': 'Die Plattform hat noch nicht gesagt, ob sie gebucht oder abgelehnt hat.',
  'help.term.shared_rate': 'Gemeinsamer Kurs',
  'help.means.shared_rate': 'Ein Kurs der ganzen Installation. Ein eigener der Firma geht vor.',
  'help.term.unconfirmed': 'Unbestätigt',
  'help.means.unconfirmed': 'Der Kurs springt: Er gilt für nichts, bis eine andere Person fast denselben sendet.',
  'help.term.margin': 'Wechselmarge',
  'help.means.margin': 'Was der nachgeschlagene Kurs ergeben hätte, abzüglich dessen, was der Kunde bekam.',
  'help.term.scope': 'Berechtigung',
  'help.means.scope': 'Was ein Schlüssel darf. Entscheidungen über Geld haben eigene Berechtigungen.',
  'help.term.delivery': 'Zustellung',
  'help.means.delivery': 'Ein Ereignis an einen Empfänger; es wird etwa drei Tage lang immer wieder versucht.',
  'help.term.exception': 'Abweichung',
  'help.means.exception':
    'Ein Gateway meldete etwas, das den Büchern widerspricht. Es bleibt zu tun, bis jemand es schließt.',
  'help.term.alone': 'Nur die Person selbst',
  'help.means.alone': 'Niemand sonst konnte den Zugang verwenden. Nur dann zählen seine Stimmen über Geld.',
  'help.term.vouch': 'Bürgen',
  'help.means.vouch': 'Eine dritte Person sagt, dass ein Zugang seinem Inhaber allein gehört.',
  'help.term.held_mail': 'Zurückgehaltene E-Mail',
  'help.means.held_mail': 'Nicht gesendet, weil es keinen Mailserver gibt. Ein Administrator gibt sie von Hand weiter.',
  'help.term.control': 'Kontrollsumme',
  'help.means.control':
    'Die Summe aller Anfangssalden einer Währung, von Hand eingegeben. Sie muss auf den Cent stimmen.',
  'help.term.snapshot': 'Snapshot',
  'help.means.snapshot': 'Eine vollständige Kopie der Daten zu einem Zeitpunkt.',
} as const
