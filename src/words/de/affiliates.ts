/** Affiliates: the sentences of mails, and the names on pages to which mails refer. */
export const affiliates = {
  'affiliates.tab.payouts': 'Zahlungen',
  'affiliates.page.payouts': 'Zahlungen',
  'affiliates.mail.second_vote':
    '{displayName} hat die zweite Freigabe zu einer Provisionszahlung mit eigener Beteiligung gegeben',
  'affiliates.mail.second_vote_text':
    '{displayName} hat neben einer anderen Person eine Provisionszahlung über {amount} freigegeben. Die eigene Beteiligung: {message} Wenn Sie das nicht erwartet haben, sehen Sie sofort unter „Affiliates“ bei „Zahlungen“ nach.',
} as const
