/** Exchange rates: the sentences of mails. */
export const fx = {
  'fx.mail.unconfirmed.subject': 'Wechselkurse warten auf eine zweite Person',
  'fx.mail.unconfirmed.intro': 'Diese Kurse weichen weit von dem ab, was 24 Stunden zuvor galt:',
  'fx.mail.unconfirmed.meaning':
    'Keine Umrechnung und keine Schwelle verwendet sie, bis auch eine andere Person sie auf der Seite „Wechselkurse“ sendet. Bis dahin gelten die bisherigen Kurse.',
  'fx.mail.unconfirmed.advice':
    'Wenn in Ihrer Firma niemand davon weiß, sehen Sie im Protokoll nach, wer sie gesendet hat.',
} as const
