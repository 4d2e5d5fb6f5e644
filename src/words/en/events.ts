export const events = {
  'events.error.events_gone':
    'Events after this one are no longer kept: note `lastSequence`, then read the lists, then follow from that number.',
  'events.todo.events_gone':
    'Ask without `after` and note `lastSequence`; then read the lists anew; then follow from the noted number.',
  'events.field.event_unknown': 'names an event that is not in the catalogue',
} as const
