export const accounts = {
  'accounts.balance': 'Kontostand',
  'accounts.equity': 'Equity',
  'accounts.demo': 'Demo',
  'accounts.real': 'Live',
  'accounts.leverage': 'Hebel',
  'accounts.leverage.required': 'Eine ganze Zahl wie 100',
  'accounts.edit.done': 'Konto gespeichert.',
  'accounts.new.done': 'Konto hinzugefügt.',
  'accounts.account': 'Konto {accountName}',
  'accounts.new.title': 'Neues Konto',
  'accounts.new.submit': 'Konto hinzufügen',
  'accounts.number.label': 'Kontonummer',
  'accounts.server.label': 'Server',
  'accounts.server.hint': 'Beliebiger Server',
  'accounts.external_id.label': 'ID auf der Plattform',
  'accounts.reported.hint': 'Wie die Plattform ihn meldet',
  'accounts.reported.label': 'Die Plattform zeigt jetzt diesen Kontostand',
  'accounts.reported.confirm_hint': 'Sie haben nachgesehen und melden ihn, auch wenn er unverändert ist',
  'accounts.demo.label': 'Demokonto',
  'accounts.accounts': 'Konten',
  'accounts.about': 'Handelskonten mit Kontostand und Equity, wie die Plattform sie gemeldet hat.',
  'accounts.empty.title': 'Noch keine Konten',
  'accounts.empty.about': 'Ordnen Sie hier die Konten zu, die Ihre Handelsplattform angelegt hat.',
  'accounts.actions.label': 'Aktionen für Konto {accountName}',
  'accounts.delete': 'Löschen',
  'accounts.delete.done': 'Konto gelöscht.',
  'accounts.delete.title': 'Dieses Konto löschen',
  'accounts.delete.submit': 'Konto löschen',
  'accounts.delete.about':
    'Konto {removing} von {traderName} verschwindet aus den Listen. Auf der Handelsplattform ändert sich nichts.',
  'accounts.empty.about_client': 'Ordnen Sie das Konto zu, das die Handelsplattform angelegt hat.',
  'accounts.other': 'Andere',
  'accounts.active': 'Aktiv',
  'accounts.suspended': 'Gesperrt',
  'accounts.error.in_use':
    'Auf diesem Konto ist Geld, oder es wurde Geld dorthin umgebucht: Kunde, Plattform, Server, Nummern und Währung bleiben, und ob es ein Live- oder ein Demokonto ist.',
  'accounts.todo.in_use': 'Eröffnen Sie ein anderes Konto, und bringen Sie das Geld durch Umbuchungen dorthin.',
  'accounts.error.has_balance':
    'Auf diesem Konto ist Geld, es ist dorthin unterwegs, oder es wurde seit der letzten Meldung dorthin umgebucht.',
  'accounts.todo.has_balance':
    'Buchen Sie es auf eine Wallet um, oder lassen Sie jemanden einen Kontostand von null melden.',
  'accounts.error.number_taken': 'Ein anderes Konto dieser Plattform hat diese Nummer schon.',
  'accounts.field.terminal_currency': 'der Handelsserver führt dieses Konto in {currency}',
  'accounts.field.in_use': 'bleibt unverändert',
  'accounts.field.balance_required': 'ist bei einer anderen Währung erforderlich',
  'accounts.field.platform_unknown': 'gehört nicht zu den Handelsplattformen in den Einstellungen der Firma',
  'accounts.field.sequence_jump':
    'darf höchstens {last, select, true {2 hoch 52 sein} other {eine Million über der letzten liegen}}',
  'accounts.error.owner_needs_manager':
    'Ein Konto einem anderen Kunden zuzuordnen, erfordert die Rolle Manager oder höher.',
  'accounts.error.practice_needs_manager':
    'Ein Konto, auf dem gehandelt wurde, macht nur ein Manager oder höher zum Demokonto.',
  'accounts.error.taken_lately':
    'In den letzten 72 Stunden wurde Geld von diesem Konto abgebucht: Die Plattform zeigt es vielleicht noch, und mit dem Konto ginge die Abbuchung verloren.',
  'accounts.error.own_zero':
    'Dass auf diesem Konto nichts ist, sagen nur Sie: Zuerst meldet die Plattform oder eine andere Person den Kontostand.',
} as const
