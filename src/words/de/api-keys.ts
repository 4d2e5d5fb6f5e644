/** API keys: the sentences of mails. */
export const apiKeys = {
  'api-keys.mail.revoked.subject':
    '{isKnown, select, true {{revoker}} other {Jemand}} hat einen API-Schlüssel von {maker} widerrufen',
  'api-keys.mail.revoked.text':
    '{isKnown, select, true {{revoker}} other {Jemand}} hat widerrufen, was {maker} angelegt hatte: {labels}. Ein Programm, das damit arbeitet, wird ab jetzt abgewiesen. War es die Brücke einer Handelsplattform, wird von dort nichts gemeldet, bis sie einen anderen Schlüssel hat.',
} as const
