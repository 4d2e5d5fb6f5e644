/** Names that look like somebody on an official list. */
export const sanctions = {
  'sanctions.aliases': 'Also called',
  'sanctions.birth': 'Born',
  'sanctions.both': 'The client beside the entry of the list',
  'sanctions.country': 'Country',
  'sanctions.entry': 'Entry of the list',
  'sanctions.entry_gone': 'Not on the list any more',
  'sanctions.matched': 'Matched the name',
  'sanctions.name': 'Name',
  'sanctions.name_score': '{score, number} of 100 for the name alone; dates and countries make it {total, number}',
  'sanctions.programme': 'Programme',
} as const
