/** Imports of clients, accounts and opening balances. */
export const imports = {
  'imports.error.open': 'Eine andere Datei der Firma wird gerade importiert.',
  'imports.todo.open': 'Warten Sie, bis sie fertig ist, oder machen Sie sie rückgängig.',
  'imports.error.own_import':
    'Wer die Datei mitgebracht hat, bestätigt ihre Salden nicht: Das braucht eine zweite Person.',
  'imports.error.totals_differ': 'Die Zeilen ergeben nicht die Kontrollsummen.',
  'imports.error.touched': 'Bei Kunden dieser Datei ist seitdem etwas geschehen.',
  'imports.error.touched_by': 'Seitdem ist etwas geschehen bei: {clients}.',
  'imports.field.columns': 'darf höchstens {most} Spalten haben',
  'imports.field.head': 'muss Spaltennamen mit höchstens {most} Zeichen haben',
  'imports.field.cell': 'hat in Zeile {line} eine Zelle mit mehr als {most, number} Zeichen',
  'imports.field.file_name': 'darf höchstens 200 Zeichen haben',
  'imports.field.who':
    'muss sagen, welche Spalte die ID, die E-Mail-Adresse, die Telefonnummer oder die Kontonummer des Kunden ist',
  'imports.line.amount':
    'muss ein Betrag wie 1234.56 sein; wo 1,234 zweierlei heißen kann, geben Sie an, wie die Datei Beträge schreibt',
  'imports.line.amount_currency': 'hat einen Betrag in einer anderen Währung als die Zeile',
  'imports.line.date_order': 'kann zweierlei heißen: Geben Sie an, ob die Datei zuerst den Tag oder den Monat schreibt',
  'imports.line.surplus':
    'hat mehr Zellen, als die Datei Spalten hat: Um ein Komma in einer Zelle gehören Anführungszeichen',
  'imports.line.platform': 'muss sagen, auf welcher Plattform das Konto ist',
  'imports.line.currency': 'muss sagen, in welcher Währung',
  'imports.line.kept': 'ist nicht lesbar: Es wird als Text beim Kunden aufbewahrt',
  'imports.line.kept_lead': 'ist nicht lesbar: Es wird als Text beim Lead aufbewahrt',
  'imports.line.kept_account': 'ist nicht lesbar: Es wird als Text beim Konto aufbewahrt',
  'imports.line.kept_type': 'sagt weder ja noch nein: Es wird als Text aufbewahrt, und das Konto ist ein echtes',
  'imports.line.cent': 'sagt, dass das Konto in Cent geführt wird: Seine Währung ist dann USC oder EUC',
  'imports.line.server_form': 'muss der Name eines Servers mit höchstens 100 Zeichen sein',
  'imports.line.account_form': 'muss eine Zeile aus einfachen Zeichen sein',
  'imports.line.account_long': 'darf höchstens 64 Zeichen haben',
  'imports.line.negative': 'darf nicht negativ sein',
  'imports.line.demo': 'kann nicht in der Zeile eines Demokontos stehen',
  'imports.line.repeated': 'steht schon in Zeile {line}',
  'imports.line.email_taken': 'gehört einem Kunden, den es schon gibt',
  'imports.line.account_taken': 'gehört einem anderen Kunden',
  'imports.line.other_email': 'weicht von der Adresse des Kunden ab, den eine frühere Datei mit dieser ID gebracht hat',
  'imports.line.other_currency': 'weicht von der Währung des Kontos ab: {currency}',
  'imports.line.deleted': 'betrifft einen Kunden, der gelöscht wurde',
  'imports.line.too_many': 'darf höchstens {most} Zeilen über einen Kunden haben',
  'imports.line.no_client': 'die Zeile, die diesen Kunden anlegt, wurde abgelehnt',
  'imports.line.who': 'muss sagen, um wen es in der Zeile geht',
  'imports.line.first_refused': 'Zeile {line} über denselben Kunden hat Fehler',
  'imports.line.differs': 'weicht von Zeile {line} über denselben Kunden ab',
  'imports.line.other_balance': 'eine frühere Datei hat diesen Saldo eröffnet, mit {amount}',
  'imports.failure.lines':
    '{count, plural, one {# Zeile hat Fehler} other {# Zeilen haben Fehler}}: Es wurde nichts importiert.',
  'imports.failure.no_control':
    'Die Datei hat Anfangssalden von {inFile} {currency} und dazu keine Kontrollsumme: Es wurde nichts importiert.',
  'imports.failure.totals':
    'Die Zeilen ergeben {inFile} {currency}, davon {refused} mit Fehlern, und die Kontrollsumme ist {control}: Es wurde nichts importiert.',
  'imports.failure.stopped': 'Der Import wurde angehalten.',
  'imports.failure.unposted':
    '{count, plural, one {# Anfangssaldo wurde} other {# Anfangssalden wurden}} nicht gebucht: Die Fehlerdatei nennt den Grund.',
  'imports.failure.broken': 'Die Datei kam nicht bis zu ihrem Ende.',
  'imports.ledger.opening': 'Anfangssaldo',
  'imports.ledger.undone': 'Anfangssaldo zurückgenommen',
} as const
