/** Affiliates: what letters say. */
export const affiliates = {
  'affiliates.mail.second_vote':
    '{displayName} hat die zweite Freigabe zu einer Provisionszahlung mit eigener Beteiligung gegeben',
  'affiliates.mail.second_vote_text':
    '{displayName} hat neben einer anderen Person eine Provisionszahlung über {amount} freigegeben. Die eigene Beteiligung: {message} Wenn Sie das nicht erwartet haben, sehen Sie sofort unter „Affiliates“ bei den Zahlungen nach.',
} as const
