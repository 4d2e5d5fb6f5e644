/** Papers and the decisions about them. */
export const kyc = {
  'kyc.reject.reason': 'Reason',
  'kyc.reject.own': 'Another reason: write your own words below',
  'kyc.reject.papers': 'Papers that are wrong',
  'kyc.reject.papers_about': 'Named before the text for the client; without a tick it is about all of them',
  'kyc.reject.reads': 'The client reads: {text}',
} as const
