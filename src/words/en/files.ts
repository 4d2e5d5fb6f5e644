export const files = {
  'files.error.bad_signature': 'This upload address was not made here.',
  'files.error.too_many_open':
    'Too many uploads are announced and not confirmed yet; confirm those, or wait until they are removed.',
  'files.error.client_full':
    'This client’s files take all the room that one client has; nothing more is taken for them.',
  'files.error.firm_full': 'The files of the firm take all the room that it has; nothing more is taken.',
  'files.error.expired': 'This upload has expired; start it again.',
  'files.error.wrong_type': 'The content type is not the announced one.',
  'files.error.wrong_size': 'The size is not the announced one.',
  'files.error.wrong_content': 'The content is not of the announced type.',
  'files.field.type_not_allowed': 'must be one of {types}',
  'files.field.file_too_large': 'must be at most {maxBytes} MiB',
  'files.field.wrong_size': 'must be {size} bytes',
  'files.field.wrong_type': 'must be {contentType}',
  'files.field.wrong_content': 'the uploaded bytes are not {contentType}',
} as const
