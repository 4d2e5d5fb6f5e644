export const standby = {
  'standby.title': 'Zweiter Rechner',
  'standby.about':
    'Dieser Rechner folgt dem Replikat eines anderen und beantwortet Lesezugriffe aus Kopien von dessen Daten.',
  'standby.follows': 'Folgt',
  'standby.unknown': 'noch nicht bekannt',
  'standby.age': 'Alter der Daten',
  'standby.seconds': '{seconds, plural, one {# Sekunde} other {# Sekunden}}',
  'standby.history': 'Historie',
  'standby.clock': 'Unterschied der Uhren',
  'standby.copy': 'Gelesene Kopie',
  'standby.promote':
    'Ist der andere Rechner verloren, führen Sie dies hier aus: Dieser Rechner übernimmt und sagt, was fehlen kann.',
  'standby.warning.stale':
    'Die Daten hier sind {seconds, plural, one {# Sekunde} other {# Sekunden}} alt{isKnown, select, true {: {failure}} other {}}.',
  'standby.warning.empty':
    'Hier gibt es noch keine Daten, die gelesen werden dürfen{isKnown, select, true {: {failure}} other {}}.',
  'standby.warning.clock':
    'Die Uhr des anderen Rechners geht gegenüber dieser {seconds, plural, one {# Sekunde} other {# Sekunden}} {isAhead, select, true {vor} other {nach}}; um so viel ist das Alter der Daten falsch.',
  'standby.warning.silent':
    'Vom anderen Rechner war seit {seconds, plural, one {# Sekunde} other {# Sekunden}} nichts zu sehen.',
  'standby.warning.proof': 'Die Kopie ist nicht gut: {doubt}.',
  'standby.mail.silent': 'Der erste Rechner ist still',
  'standby.mail.silent_text':
    'Von {url} war seit {since} UTC nichts zu sehen: weder eine Änderung noch die Erneuerung der Sperre am Speicherort. Dieser zweite Rechner zeigt die Daten weiter, Stand {until} UTC, und ändert nichts. Ist der erste Rechner verloren, führen Sie hier „brokerbase promote“ aus.',
  'standby.mail.alone': 'Der Server schreibt, ohne einen zweiten Rechner zu kennen',
  'standby.mail.alone_text':
    'Der Ort des Replikats antwortet nicht, und ein zweiter Rechner kann übernommen haben. Der Betreiber hat den Server mit --alone gestartet und damit gesagt, dass keiner übernommen hat. Hat doch einer übernommen, halten Sie diesen Server sofort an: Beide würden schreiben.',
  'standby.mail.over': 'Der erste Rechner ist wieder da',
  'standby.mail.over_text': '{url} ist wieder zu sehen.',
  'standby.mail.proof': 'Die Kopie auf dem zweiten Rechner ist nicht gut',
  'standby.mail.proof_text':
    'Der zweite Rechner von {url} hat seine Kopie der Daten geprüft, und sie ist nicht gut: {doubt}.',
} as const
