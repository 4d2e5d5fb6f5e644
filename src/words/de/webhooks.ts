import { EVENT_DAYS, FAILING_DAYS } from '../rule-figures.ts'

/** Webhooks: the sentences of mails, and the names on pages to which mails refer. */
export const webhooks = {
  'webhooks.recover.title': 'Verpasste Ereignisse nachholen',
  'webhooks.mail.disabled.subject': 'Webhook abgeschaltet: {url}',
  'webhooks.mail.disabled.text': `Er wurde abgeschaltet, weil {why, select, gone {der Empfänger mit 410 Gone geantwortet hat} other {${FAILING_DAYS} Tage lang keine Zustellung gelang}}. Es wird jetzt nichts dorthin gesendet. Schalten Sie ihn in der Konsole ein, sobald der Empfänger arbeitet: Dann wird gesendet, was gewartet hat, und „Verpasste Ereignisse nachholen“ auf seiner Seite sendet, was inzwischen geschehen ist. Ereignisse werden ${EVENT_DAYS} Tage aufbewahrt, Aktualisierungen von Positionen einen Tag.\n\n{publicUrl}/admin/webhooks`,
  'webhooks.mail.failing.subject': 'Webhook schlägt fehl: {url}',
  'webhooks.mail.failing.text': `Seit einem Tag gelang keine Zustellung. Nach ${FAILING_DAYS} Tagen ohne Erfolg wird er abgeschaltet.\n\n{publicUrl}/admin/webhooks`,
} as const
