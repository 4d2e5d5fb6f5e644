/** Clients: the sentences of mails. */
export const clients = {
  'client.mail.deleted.subject': '{displayName} hat einen Kunden gelöscht, dessen Daten das Gesetz aufbewahren lässt',
  'client.mail.deleted.text':
    '{displayName} hat einen Kunden gelöscht, der freigegebene Dokumente oder Ein- oder Auszahlungen hatte:\n{url}\n\nDer Kunde kann {days, number} Tage lang wiederhergestellt werden. Danach werden die persönlichen Daten gelöscht, und was das Gesetz aufbewahren lässt, wird unter „Aufbewahrte Daten“ versiegelt, wo nur Inhaber es öffnen. Wenn das nicht beabsichtigt war, stellen Sie den Kunden wieder her und sehen Sie ins Protokoll.',
} as const
