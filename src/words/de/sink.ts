export const sink = {
  'sink.warning.refused': 'Es gehen keine Ereignisse an den Stream, denn er ist nicht für sie bestimmt: {why}.',
  'sink.warning.taken':
    'Nur dieser Server darf in den Stream der Ereignisse schreiben, und jemand anders hat es getan: {what}.',
  'sink.warning.gap':
    'Im Stream fehlen die Ereignisse {from} bis {to} von {firm}: Sie wurden nicht mehr aufbewahrt, als sie gesendet werden konnten, wie um {at} UTC bemerkt wurde.',
  'sink.warning.restored':
    'Dieser Server wurde auf einen früheren Zeitpunkt zurückgesetzt: Der Stream hat {count, plural, one {# Ereignis} other {# Ereignisse}} von {firm}, die dieser Server nicht hat, mit den Nummern {from} bis {to}, wie um {at} UTC bemerkt wurde. Spätere Ereignisse haben höhere Nummern. {unsent, plural, =0 {Nichts, was hier seitdem geschrieben wurde, fehlt im Stream.} one {# Ereignis, das hier seitdem geschrieben wurde, ist nicht im Stream.} other {# Ereignisse, die hier seitdem geschrieben wurden, sind nicht im Stream.}}',
  'sink.warning.behind':
    'Seit {seconds, plural, one {# Sekunde} other {# Sekunden}} haben Ereignisse den Stream nicht erreicht{isKnown, select, true {: {why}} other {}}.',
} as const
