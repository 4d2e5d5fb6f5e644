/** Saved views of lists. */
export const savedViews = {
  'saved-views.field.notKept':
    'wird in einer Ansicht nicht aufbewahrt: Es könnte einen Kunden benennen. Speichern Sie die Filter ohne das.',
  'saved-views.field.notOfList': 'ist nichts, wonach diese Liste gefiltert oder geordnet werden kann',
  'saved-views.field.tooLarge': 'darf zusammen höchstens {kib} KiB groß sein',
  'saved-views.problem.sharing': 'Geteilte Ansichten werden von Managern angelegt, geändert und entfernt.',
  'saved-views.problem.tooMany': 'Für diese Liste gibt es {most} Ansichten. Entfernen Sie zuerst eine.',
  'saved-views.problem.tooManyOwn': 'Sie haben über alle Listen {most} Ansichten. Entfernen Sie zuerst eine.',
  'saved-views.problem.tooManyShared':
    'Eine Person teilt höchstens {most} Ansichten einer Liste. Entfernen Sie zuerst eine.',
} as const
