/** Records of erased clients that the law keeps. */
export const keptRecords = {
  'kept-records.title': 'Kept records',
  'kept-records.about':
    'What the law requires the firm to keep of erased clients, sealed. Nobody reads one without a reason, and every owner is told.',
  'kept-records.none': 'No record is kept',
  'kept-records.none_about':
    'One is made when a client is erased who had approved documents, a settled deposit or a paid withdrawal.',
  'kept-records.number': 'Number',
  'kept-records.reason.label': 'Kept for',
  'kept-records.reason.documents': 'Documents',
  'kept-records.reason.money': 'Money',
  'kept-records.reason.both': 'Documents and money',
  'kept-records.sealed_at': 'Sealed',
  'kept-records.until': 'Kept until',
  'kept-records.open': 'Open',
  'kept-records.open_one': 'Open {id}',
  'kept-records.open_title': 'Open this record',
  'kept-records.open_about':
    'You get everything that was kept as one file. Your reason goes to the audit log and to all owners. Which client a record is of, the audit log says at the erasure of the client.',
  'kept-records.open_reason': 'Why it is opened',
  'kept-records.open_missing': 'Say why it is opened',
  'kept-records.opened': 'The record is in your downloads.',
  'kept-records.mail.opened': '{displayName} opened a kept record',
  'kept-records.mail.opened_text':
    '{displayName} opened the kept record {id} of an erased client, with this reason:\n\n{reason}\n\nIf this was not meant, look at the audit log:\n{publicUrl}/admin/audit',
} as const
