export const notifications = {
  'notifications.error.too_many_streams':
    'Höchstens {mostOfOne} Datenströme je Benutzer und {mostOfFirm} je Firma sind möglich.',
  'notifications.todo.too_many_streams': 'Schließen Sie einen Datenstrom, bevor Sie einen neuen öffnen.',
} as const
