import { RESTORE_DAYS } from '../rule-figures.ts'

/** Merged clients: the sentences of mails. */
export const merges = {
  'merges.mail.merged': '{displayName} hat einen Kunden zusammengeführt, dessen Daten das Gesetz aufbewahren lässt',
  'merges.mail.merged_text': `{displayName} hat einen Kunden mit Dokumenten oder Geld mit einem anderen zusammengeführt. Der weggelegte Eintrag wird in ${RESTORE_DAYS} Tagen gelöscht; was das Gesetz davon aufbewahren lässt, wird vorher versiegelt. Der Kunde, der bleibt: {url}`,
} as const
