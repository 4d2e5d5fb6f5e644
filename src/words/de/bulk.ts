/** Changing many clients at once, and how many there are. */
export const bulk = {
  'bulk.edit.title': '{count, plural, one {# Kunden ändern} other {# Kunden ändern}}',
  'bulk.edit.submit': 'Ändern',
  'bulk.edit.nothing': 'Wählen Sie mindestens eine Änderung',
  'bulk.edit.add': 'Segmente hinzufügen',
  'bulk.edit.add_help': 'Nach jedem die Eingabetaste drücken',
  'bulk.edit.remove': 'Segmente entfernen',
  'bulk.edit.assign': 'Zuständig machen',
  'bulk.edit.leave': 'Unverändert lassen',
  'bulk.edit.nobody': 'Niemand',
  'bulk.edit.results': 'Geänderte Kunden',
  'bulk.edit.done': 'Fertig',
  'bulk.undo.text': '{count, plural, one {# Kunde wurde geändert.} other {# Kunden wurden geändert.}}',
  'bulk.undo.done':
    '{count, plural, one {# Kunde ist} other {# Kunden sind}} wieder wie zuvor.{changed, plural, =0 {} one { # bleibt, wie er ist: Jemand anderes hat ihn inzwischen geändert.} other { # bleiben, wie sie sind: Jemand anderes hat sie inzwischen geändert.}}{failed, plural, =0 {} one { # ließ sich nicht zurücksetzen.} other { # ließen sich nicht zurücksetzen.}}',
  'bulk.stats.all': 'Kunden',
  'bulk.stats.active': 'Aktiv',
  'bulk.stats.suspended': 'Gesperrt',
  'bulk.stats.papers': 'Dokumente zu prüfen',
  'bulk.stats.high_risk': 'Hohes Risiko',
  'bulk.stats.new': 'Neu in 7 Tagen',
} as const
