/** The installation: the sentences of mails. */
export const system = {
  'system.key.shown_subject': 'Der Wiederherstellungsschlüssel wurde gezeigt',
  'system.key.shown_text':
    'Jemand, der diese Installation verwaltet, hat ihren Wiederherstellungsschlüssel angesehen, der jede Sicherung öffnet. Wenn Sie niemanden kennen, der das war, beenden Sie die Sitzung unter „Benutzer“ und sehen Sie ins Protokoll.',
  'system.warning.replica_behind': 'Das Replikat ist seit {seconds, number} Sekunden im Rückstand.',
  'system.warning.replica_down': 'Es wird nichts auf das Replikat kopiert: {why}.',
  'system.warning.place_lost':
    'Der Ort des Replikats hat verloren, was er enthielt ({why}). Antworten, die darauf warten, werden abgelehnt, bis dort wieder ein vollständiger neuer Stand liegt.',
  'system.warning.place_was_lost':
    'Der Ort des Replikats hat am {at} verloren, was er enthielt ({why}). Seitdem liegt dort ein vollständiger neuer Stand; was davor war, lässt sich nur aus Schnappschüssen wiederherstellen. Finden Sie heraus, wer oder was es entfernt hat.',
  'system.warning.drill_failed': 'Die letzte Probe fand eine Kopie, die nicht taugt: {fault}.',
  'system.warning.not_proven':
    'Seit mehr als einem Tag ist von keiner Kopie erwiesen, dass sie sich wiederherstellen lässt.',
  'system.warning.certificate': 'Das Zertifikat endet am {day}: {why}.',
  'system.warning.certificate_none': 'Es gibt noch kein Zertifikat: {why}.',
  'system.warning.certificate_nothing': 'es kam kein neueres',
  'system.warning.mail':
    'Der Mailserver hat seit {since} UTC keine Mail angenommen: {error}. Mails werden 72 Stunden aufbewahrt und gesendet, sobald er sie annimmt.',
  'system.warning.over': 'Vorbei: {code}.',
  'system.warning.subject': 'Diese Installation braucht Sie',
  'system.warning.subject_over': 'Dieser Installation geht es wieder gut',
  'system.warning.label': 'Warnung',
  'system.warning.open': 'Ansehen',
} as const
