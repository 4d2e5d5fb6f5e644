export const files = {
  'files.error.bad_signature': 'Diese Upload-Adresse wurde nicht hier erzeugt.',
  'files.error.too_many_open':
    'Zu viele Uploads sind angekündigt und noch nicht bestätigt; bestätigen Sie diese, oder warten Sie, bis sie entfernt sind.',
  'files.error.client_full':
    'Die Dateien dieses Kunden belegen allen Platz, den ein Kunde hat; weitere werden nicht angenommen.',
  'files.error.firm_full': 'Die Dateien der Firma belegen allen Platz, den sie hat; weitere werden nicht angenommen.',
  'files.error.expired': 'Dieser Upload ist abgelaufen; beginnen Sie ihn neu.',
  'files.error.wrong_type': 'Der Content-Type ist nicht der angekündigte.',
  'files.error.wrong_size': 'Die Größe ist nicht die angekündigte.',
  'files.error.wrong_content': 'Der Inhalt ist nicht vom angekündigten Typ.',
  'files.field.type_not_allowed': 'muss einer der Werte {types} sein',
  'files.field.file_too_large': 'darf höchstens {maxBytes} MiB groß sein',
  'files.field.wrong_size': 'muss {size} Bytes groß sein',
  'files.field.wrong_type': 'muss {contentType} sein',
  'files.field.wrong_content': 'die hochgeladenen Bytes sind nicht {contentType}',
} as const
