const ROLE = '{role, select, admin {Administrator} owner {Inhaber} other {Plattform-Administrator}}'
const CAME = `{came, select, invited {ist als ${ROLE} eingeladen} accepted {hat die Einladung als ${ROLE} angenommen} enabled {darf sich wieder als ${ROLE} anmelden} other {ist jetzt ${ROLE}}}`

/** Colleagues: the sentences of mails. */
export const users = {
  'users.mail.power': `{name} ${CAME}`,
  'users.mail.came_to_power': `{name} ({email}) ${CAME}{isKnown, select, true {, durch {by}} other {}}.\n\nWenn Sie diese Person nicht kennen, sperren Sie den Zugang sofort.`,
  'users.mail.reads_many': '{name} hat heute {count, number} Kunden gelesen',
  'users.mail.read_so_many':
    '{name} hat heute die persönlichen Daten von {count, number} Kunden gelesen, selbst oder über eigene Schlüssel; ab mehr als {limit, number} werden Sie benachrichtigt. Fragen Sie nach dem Grund, wenn Sie das nicht erwartet haben.',
  'users.mail.guard': '{isKnown, select, true {{by}} other {Der Administrator}} hat {settings} geändert',
  'users.mail.guard_changed':
    '{isKnown, select, true {{by}} other {Der Administrator dieser Installation}} hat Einstellungen geändert, die die Firma schützen: {settings}.\n\nWenn das nicht beabsichtigt war, sehen Sie ins Protokoll und stellen Sie sie zurück.',
  'users.left.gateways': 'Gateways, deren Geheimnis von dieser Person stammt: {labels}',
  'users.left.ad_connections': 'Werbeverbindungen, deren Geheimnisse von dieser Person stammen: {labels}',
  'users.left.and_more': '{named} und {more, number} weitere',
  'users.left.colleagues':
    'Kollegen, deren Zugang diese Person verwenden konnte, weil sie sie eingeladen oder einen Link oder das Passwort hatte: {labels}. Offene Einladungen sind ungültig, und wem ein Passwort gegeben wurde, wird neu eingeladen: Senden Sie neue Einladungen. Lassen Sie die anderen ein neues Passwort wählen',
  'users.left.receivers': 'Webhook-Empfänger, die diese Person angelegt oder geändert hat: {labels}',
  'users.left.api_keys': 'API-Schlüssel, die diese Person angelegt hat: {labels}',
  'users.left.recovery_words':
    'Die Wiederherstellungswörter, die diese Person {count, plural, one {einmal} other {#-mal}} gesehen hat',
  'users.left.backups':
    '{count, plural, one {Eine Sicherung, die diese Person heruntergeladen hat} other {# Sicherungen, die diese Person heruntergeladen hat}}',
  'users.left.clients':
    '{count, plural, one {Ein Kunde, den diese Person erfasst hat} other {# Kunden, die diese Person erfasst hat}}, {lately} in den letzten 30 Tagen',
  'users.left.imports': 'Dateien mit Kunden, die diese Person mitgebracht hat: {labels}',
  'users.left.nothing': 'Es ist nichts bekannt.',
  'users.left.gateway_secrets': 'Geheimnisse von Gateways',
  'users.left.ad_secrets': 'Geheimnisse von Werbeverbindungen',
  'users.left.colleagues_known': 'Kollegen, deren Zugang diese Person verwenden konnte',
  'users.left.webhook_receivers': 'Webhook-Empfänger',
  'users.left.keys': 'API-Schlüssel',
  'users.left.words_seen': 'Wiederherstellungswörter gesehen',
  'users.left.times': '{count, plural, one {einmal} other {#-mal}}',
  'users.left.backups_taken': 'Heruntergeladene Sicherungen',
  'users.left.clients_entered': 'Erfasste Kunden',
  'users.left.with_lately': '{count, number}, davon {lately, number} in den letzten 30 Tagen',
  'users.left.files': 'Dateien mit Kunden',
  'users.left.title': 'Was diese Person weiß, angelegt oder eingegeben hat',
  'users.left.until':
    'Gateways, deren Geheimnis von dieser Person stammt, verbuchen nichts, bis eine andere Person ein neues eingibt, und Empfänger, die sie angelegt oder geändert hat, stehen still, bis eine andere Person sie bestätigt.',
  'users.mail.left': '{name} wurde {how, select, deleted {gelöscht} other {gesperrt}}',
  'users.mail.left_behind':
    '{by} hat {name} {how, select, deleted {gelöscht} other {gesperrt}}. Was diese Person weiß, angelegt oder eingegeben hat:\n\n{list}\n\nGateways, deren Geheimnis von dieser Person stammt, verbuchen nichts, bis eine andere Person ein neues eingibt, und Webhook-Empfänger, die sie angelegt oder geändert hat, stehen still, bis eine andere Person sie bestätigt. Sehen Sie auch das Übrige an: Wer ein Geheimnis gelesen hat, kennt es weiterhin.',
  'users.mail.renamed': '{before} heißt jetzt {name}',
  'users.mail.renamed_text':
    '{before} ({email}) heißt ab jetzt {name}{isKnown, select, true {; geändert von {by}} other {}}. Was vorher getan wurde, bleibt unter dem alten Namen.\n\nWenn das nicht beabsichtigt war, ändern Sie es zurück, und sehen Sie ins Protokoll.',
  'users.mail.vouched.subject': '{voucher} hat für {user} gebürgt',
  'users.mail.vouched.text':
    '{voucher} bürgt dafür, dass der Zugang von {user} dieser Person allein gehört, daher zählen ihre Stimmen über Geld ab jetzt:\n\n{note}\n\nWenn Sie diese Person nicht kennen, sperren Sie den Zugang sofort.',
} as const
