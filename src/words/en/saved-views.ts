/** Saved views of lists. */
export const savedViews = {
  'saved-views.field.searchNotKept': 'is not kept in a view: it may name a client. Save the filters without it.',
  'saved-views.problem.sharing': 'Shared views are made, changed and removed by managers.',
  'saved-views.problem.tooMany': 'There are 50 views of this list. Remove one first.',
} as const
