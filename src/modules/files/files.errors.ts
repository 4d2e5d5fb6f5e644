import { defineErrors } from '../../platform/http/problem.ts'

export const fileErrors = defineErrors('files', {
  bad_signature: [403, 'This upload address was not made here.'],
  expired: [410, 'This upload has expired; start it again.'],
  wrong_type: [415, 'The content type is not the announced one.'],
  wrong_size: [422, 'The size is not the announced one.'],
  wrong_content: [422, 'The content is not of the announced type.'],
})
