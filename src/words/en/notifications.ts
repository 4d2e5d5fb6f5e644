export const notifications = {
  'notifications.error.too_many_streams': 'At most {mostOfOne} streams of one user and {mostOfFirm} of a firm.',
  'notifications.todo.too_many_streams': 'Close a stream before another is opened.',
} as const
