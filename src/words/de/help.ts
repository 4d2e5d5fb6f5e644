import { PAY_WITHIN_DAYS, SUM_HOURS } from '../rule-figures.ts'

/** The help of the pages whose own sentences are German. */
export const help = {
  'help.about.home': 'Was auf Sie wartet, und wie die Firma steht. Jede Zahl führt zu ihren Zeilen.',
  'help.task.home.1': 'Nehmen Sie das Älteste unter „Wartet“: Jede Rolle sieht, was sie entscheiden kann.',
  'help.task.home.2': 'Drücken Sie auf einen Balken: Sie sehen die Ein- und Auszahlungen seines Tages.',
  'help.about.deposits': 'Geld, das hereinkommt. Eine Einzahlung wird angekündigt und beim Verbuchen gutgeschrieben.',
  'help.task.deposits.1': 'Sachbearbeiter: eine Einzahlung nach dem Kontoauszug anlegen oder eine offene stornieren.',
  'help.task.deposits.2':
    'Manager: mit dem eingegangenen Betrag verbuchen. Ist er kleiner, wird teilweise verbucht, mit einer Notiz.',
  'help.task.deposits.3':
    'Ab der Schwelle: Zwei Personen verbuchen denselben Betrag, wenn der Kunde sie angekündigt hat.',
  'help.about.withdrawals':
    'Geld, das hinausgeht: angefragt, freigegeben, gezahlt. Ab der Anfrage ist der Betrag im Wallet gesperrt.',
  'help.task.withdrawals.1':
    'Manager: die Prüfungen lesen, dann freigeben oder ablehnen. Ab der Schwelle geben zwei Personen frei.',
  'help.task.withdrawals.2':
    'Manager: Freigegebenes bei der Bank senden und dann mit der Zahlungsreferenz als gezahlt markieren.',
  'help.task.withdrawals.3': 'Sachbearbeiter: eine Anfrage stornieren, die der Kunde nicht mehr will.',
  'help.about.views': 'Wer die Konsole als jemand anderes angesehen hat, und warum.',
  'help.task.views.1': 'Inhaber: auf der Seite eines Kunden oder im Menü eines Kollegen mit einem Grund beginnen.',
  'help.about.security': 'Ihre Anmeldung: Passwort, zweiter Schritt, Sprache, und wo Sie angemeldet sind.',
  'help.task.security.1':
    'Schalten Sie die Anmeldung in zwei Schritten ein: Ohne sie zählen Ihre Freigaben von Geld womöglich nicht.',
  'help.task.security.2': 'Beenden Sie eine Sitzung, die Sie nicht kennen.',
  'help.about.mail': 'Was die Firma gesendet hat, und was ohne Mailserver zurückgehalten wird.',
  'help.task.mail.1':
    'Administrator: Fehlgeschlagenes oder Zurückgehaltenes erneut senden, oder Zurückgehaltenes lesen und weitergeben.',
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
  'help.means.available': 'Was im Wallet und nicht gesperrt ist: Der Kunde kann es auszahlen lassen oder umbuchen.',
  'help.term.held': 'Gesperrt',
  'help.means.held':
    'Zurückgelegt für etwas, das wartet, etwa eine Auszahlung; wird sie abgelehnt, ist es wieder frei.',
  'help.term.destination': 'Ziel',
  'help.means.destination': 'Wohin das Geld geht: Bankkonto, Karte, E-Wallet oder Krypto-Adresse, mit Kontoinhaber.',
  'help.term.checks': 'Prüfungen',
  'help.means.checks':
    'Was die Bücher zu Kunde, Geld und Ziel sagen. Trotz „auffällig“ freizugeben, braucht eine Notiz.',
  'help.term.lapsed': 'Verfallen',
  'help.means.lapsed': `Freigegeben und nicht binnen ${PAY_WITHIN_DAYS} Tagen gezahlt. Klären Sie zuerst, ob es gesendet wurde.`,
  'help.term.first_reply': 'Erste Antwort fällig',
  'help.means.first_reply': 'Bis dahin hat der Kunde eine Antwort. Es zählen die Arbeitszeiten der Einstellungen.',
} as const
