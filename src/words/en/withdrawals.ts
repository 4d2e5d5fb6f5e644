/** Money out. */
export const withdrawals = {
  'withdrawals.queue.flags': 'Checks',
  'withdrawals.queue.mine': '· yours',
  'withdrawals.queue.policy': 'Approvals',
  'withdrawals.queue.votes': '{given, number} of {needed, number}',
  'withdrawals.queue.waits_for_another': 'Approved by you; another person is needed',
} as const
