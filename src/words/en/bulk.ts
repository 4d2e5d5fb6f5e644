/** Changing many clients at once, and how many there are. */
export const bulk = {
  'bulk.edit.title': '{count, plural, one {Change # client} other {Change # clients}}',
  'bulk.edit.submit': 'Change',
  'bulk.edit.nothing': 'Choose at least one change',
  'bulk.edit.add': 'Add segments',
  'bulk.edit.add_help': 'Press Enter after each',
  'bulk.edit.remove': 'Remove segments',
  'bulk.edit.assign': 'Assign to',
  'bulk.edit.leave': 'Leave as it is',
  'bulk.edit.nobody': 'Nobody',
  'bulk.edit.results': 'Changed clients',
  'bulk.edit.done': 'Done',
  'bulk.undo.text': '{count, plural, one {# client was changed.} other {# clients were changed.}}',
  'bulk.undo.done':
    '{count, plural, one {# client is} other {# clients are}} as before.{changed, plural, =0 {} one { # stays as it is: somebody else has changed it since.} other { # stay as they are: somebody else has changed them since.}}{failed, plural, =0 {} one { # could not be changed back.} other { # could not be changed back.}}',
  'bulk.stats.all': 'Clients',
  'bulk.stats.active': 'Active',
  'bulk.stats.suspended': 'Suspended',
  'bulk.stats.papers': 'Documents to check',
  'bulk.stats.high_risk': 'High risk',
  'bulk.stats.new': 'New in 7 days',
} as const
