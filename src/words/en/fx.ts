/** Exchange rates for days that are over. */
export const fx = {
  'fx.field.not_over': 'must be a day that is over: leave it out for a rate from now on',
  'fx.field.too_early': 'must not be before 1990',
  'fx.field.has_rate': 'is a day that has a rate already, by this pair, its inverse or through USD',
  'fx.field.not_of_pool': 'is for a firm’s own rates',
  'fx.field.too_many_past': 'a firm keeps at most {most} rates for days that are over',
  'fx.error.past_rate_behind':
    'Another rate that was entered for these days would take its place: remove that one first.',
  'fx.past.title': 'For days that are over',
  'fx.past.about':
    'Days that had no rate: each counts from its day until there was one, for reports and commissions. Nothing is converted by it.',
  'fx.past.pair': 'Pair',
  'fx.past.rate': 'Rate',
  'fx.past.since': 'From',
  'fx.past.source': 'Source',
  'fx.past.entered': 'Entered',
  'fx.past.acts': 'Actions',
  'fx.past.actions': 'Actions for {base} → {quote}',
  'fx.past.remove': 'Remove',
  'fx.past.removed': 'Rate removed.',
  'fx.past.remove_title': 'Remove this rate?',
  'fx.past.remove_text':
    'Its days have no rate again, and may get another one. Commissions that were made by it stay until their trades change.',
  'fx.past.field': 'For days that are over, from',
  'fx.past.field_about':
    'Only where such a day had no rate: counts until there was one, for reports and commissions. Leave it empty to set the rate of now.',
  'fx.past.set': 'Rate entered for days that are over.',
  'fx.past.enter': 'Enter rates for these days',
} as const
