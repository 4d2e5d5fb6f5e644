/** Papers and the decisions about them. */
export const kyc = {
  'kyc.reject.reason': 'Reason',
  'kyc.reject.own': 'Another reason: write your own words below',
} as const
