export const events = {
  'events.error.events_gone':
    'Ereignisse nach diesem sind nicht mehr vorhanden: Merken Sie sich `lastSequence`, lesen Sie dann die Listen, und folgen Sie ab dieser Nummer.',
  'events.todo.events_gone':
    'Fragen Sie ohne `after` an, und merken Sie sich `lastSequence`; lesen Sie dann die Listen neu, und folgen Sie ab der gemerkten Nummer.',
  'events.field.event_unknown': 'nennt ein Ereignis, das nicht im Katalog steht',
} as const
