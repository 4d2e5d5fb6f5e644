export const sink = {
  'sink.warning.refused': 'No events are sent to the stream, which is not one for them: {why}.',
  'sink.warning.taken': 'Only this server may publish to the stream of events, and somebody else did: {what}.',
  'sink.warning.gap':
    'The stream lacks the events {from} to {to} of {firm}: they were no longer kept when they could be sent, as was noticed at {at} UTC.',
  'sink.warning.restored':
    'This server was restored to an earlier moment: the stream has {count, plural, one {# event} other {# events}} of {firm} that this server does not have, with the numbers {from} to {to}, as was noticed at {at} UTC. Later events have higher numbers. {unsent, plural, =0 {Nothing that was written here since then is missing in the stream.} one {# event that was written here since then is not in the stream.} other {# events that were written here since then are not in the stream.}}',
  'sink.warning.behind':
    'Events have not reached the stream for {seconds, plural, one {# second} other {# seconds}}{isKnown, select, true {: {why}} other {}}.',
} as const
