export const savedViews = {
  'saved-views.field.not_kept': 'is not kept in a view: it may name a client. Save the filters without it.',
  'saved-views.field.not_of_list': 'is nothing that this list can be filtered or ordered by',
  'saved-views.field.too_large': 'must be at most {kib} KiB in all',
  'saved-views.problem.sharing': 'Shared views are made, changed and removed by managers.',
  'saved-views.problem.too_many': 'There are {most} views of this list. Remove one first.',
  'saved-views.problem.too_many_own': 'You have {most} views of all lists. Remove one first.',
  'saved-views.problem.too_many_shared': 'One person shares at most {most} views of a list. Remove one first.',
} as const
