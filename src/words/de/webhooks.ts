import { EVENT_DAYS, FAILING_DAYS } from '../rule-figures.ts'

/** Webhooks: what letters say, and what they name on their page. */
export const webhooks = {
  'webhooks.recover_missed_events': 'Verpasste Ereignisse nachholen',
  'webhooks.mail.switched_off': 'Webhook abgeschaltet: {url}',
  'webhooks.mail.why_switched_off': `Er wurde abgeschaltet, weil {why, select, gone {der Empfänger mit 410 Gone geantwortet hat} other {${FAILING_DAYS} Tage lang keine Zustellung gelang}}. Es wird jetzt nichts dorthin gesendet. Schalten Sie ihn in der Konsole ein, sobald der Empfänger arbeitet: Dann wird gesendet, was gewartet hat, und „Verpasste Ereignisse nachholen“ auf seiner Seite sendet, was inzwischen geschehen ist. Ereignisse werden ${EVENT_DAYS} Tage aufbewahrt, Aktualisierungen von Positionen einen Tag.\n\n{publicUrl}/admin/webhooks`,
  'webhooks.mail.failing': 'Webhook schlägt fehl: {url}',
  'webhooks.mail.failing_for_day': `Seit einem Tag gelang keine Zustellung. Nach ${FAILING_DAYS} Tagen ohne Erfolg wird er abgeschaltet.\n\n{publicUrl}/admin/webhooks`,
} as const
