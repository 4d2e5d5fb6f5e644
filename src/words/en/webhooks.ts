/** Events that are sent to other systems. */
export const webhooks = {
  'webhooks.about': 'About',
  'webhooks.about.client': 'Open the client',
  'webhooks.about.deposit': 'Open the deposit',
  'webhooks.about.submission': 'Open the papers',
  'webhooks.about.ticket': 'Open the ticket',
  'webhooks.about.withdrawal': 'Open the withdrawal',
  'webhooks.kept_and_test': 'I have kept it: send a test',
} as const
