/** Exchange rates: what letters say. */
export const fx = {
  'fx.mail.exchange_rates_wait_for': 'Wechselkurse warten auf eine zweite Person',
  'fx.mail.these_rates_far_from': 'Diese Kurse weichen weit von dem ab, was 24 Stunden zuvor galt:',
  'fx.mail.no_conversion_no_threshold':
    'Keine Umrechnung und keine Schwelle verwendet sie, bis auch eine andere Person sie auf der Seite „Wechselkurse“ sendet. Bis dahin gelten die bisherigen Kurse.',
  'fx.mail.if_nobody_your_firm':
    'Wenn in Ihrer Firma niemand davon weiß, sehen Sie im Protokoll nach, wer sie gesendet hat.',
} as const
