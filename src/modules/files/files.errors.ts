import { defineErrors } from '../../platform/http/problem.ts'

export const fileErrors = defineErrors('files', {
  bad_signature: [403, 'This upload address was not made here.'],
  too_many_open: [
    429,
    'Too many uploads are announced and not confirmed yet; confirm those, or wait until they are forgotten.',
  ],
  client_full: [409, 'This client’s files take all the room that one client has; nothing more is taken for them.'],
  firm_full: [409, 'The files of the firm take all the room that it has; nothing more is taken.'],
  expired: [410, 'This upload has expired; start it again.'],
  wrong_type: [415, 'The content type is not the announced one.'],
  wrong_size: [422, 'The size is not the announced one.'],
  wrong_content: [422, 'The content is not of the announced type.'],
})
