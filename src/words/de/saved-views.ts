export const savedViews = {
  'saved-views.field.not_kept':
    'wird in einer Ansicht nicht aufbewahrt: Es könnte einen Kunden benennen. Speichern Sie die Filter ohne das.',
  'saved-views.field.not_of_list': 'ist nichts, wonach diese Liste gefiltert oder geordnet werden kann',
  'saved-views.field.too_large': 'darf zusammen höchstens {kib} KiB groß sein',
  'saved-views.problem.sharing': 'Geteilte Ansichten werden von Managern angelegt, geändert und entfernt.',
  'saved-views.problem.too_many': 'Für diese Liste gibt es {most} Ansichten. Entfernen Sie zuerst eine.',
  'saved-views.problem.too_many_own': 'Sie haben über alle Listen {most} Ansichten. Entfernen Sie zuerst eine.',
  'saved-views.problem.too_many_shared':
    'Eine Person teilt höchstens {most} Ansichten einer Liste. Entfernen Sie zuerst eine.',
} as const
