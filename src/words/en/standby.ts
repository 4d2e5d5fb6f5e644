export const standby = {
  'standby.title': 'Second machine',
  'standby.about': 'This machine follows the replica of another one, and answers reads from copies of its data.',
  'standby.follows': 'Follows',
  'standby.unknown': 'not known yet',
  'standby.age': 'Age of the data',
  'standby.seconds': '{seconds, plural, one {# second} other {# seconds}}',
  'standby.history': 'History',
  'standby.clock': 'Clocks apart',
  'standby.copy': 'Copy that is read',
  'standby.promote': 'If the other machine is gone, run this here: it takes over, and says what may be missing.',
  'standby.warning.stale':
    'The data here is {seconds, plural, one {# second} other {# seconds}} old{isKnown, select, true {: {failure}} other {}}.',
  'standby.warning.empty': 'There is no data here that may be read yet{isKnown, select, true {: {failure}} other {}}.',
  'standby.warning.clock':
    'The clock of the other machine is {seconds, plural, one {# second} other {# seconds}} {isAhead, select, true {ahead of} other {behind}} this one’s, and the age of the data is wrong by that much.',
  'standby.warning.silent':
    'Nothing has been seen of the other machine for {seconds, plural, one {# second} other {# seconds}}.',
  'standby.warning.proof': 'The copy is not good: {doubt}.',
  'standby.mail.silent': 'The first machine is silent',
  'standby.mail.silent_text':
    'Nothing has been seen of {url} since {since} UTC: neither a change nor the renewal of its lease. This second machine goes on showing its data as of {until} UTC, and changes nothing. If the first machine is gone, run “brokerbase promote” here.',
  'standby.mail.alone': 'The server writes without knowing of a second machine',
  'standby.mail.alone_text':
    'The place of the replica does not answer, and a second machine may have taken over. The operator started the server with --alone, which says that none did. If one did, stop this server at once: both would write.',
  'standby.mail.over': 'The first machine is back',
  'standby.mail.over_text': '{url} is seen again.',
  'standby.mail.proof': 'The copy on the second machine is not good',
  'standby.mail.proof_text': 'The second machine of {url} proved its copy of the data, and it is not good: {doubt}.',
} as const
