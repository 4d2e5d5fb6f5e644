/** Money out. */
export const withdrawals = {
  'withdrawals.queue.approve': 'Approve',
  'withdrawals.queue.fine': 'All fine',
  'withdrawals.queue.flags': 'Checks',
  'withdrawals.queue.lapsed': 'Lapsed before',
  'withdrawals.queue.mine': '· yours',
  'withdrawals.queue.policy': 'Approvals',
  'withdrawals.queue.votes': '{given, number} of {needed, number}',
  'withdrawals.queue.waits_for_another': 'Approved by you; another person is needed',
} as const
