import { defineErrors } from '../../platform/http/problem.ts'

export const traderErrors = defineErrors('traders', {
  not_deleted: [409, 'The trader is not deleted.'],
  erased: [409, 'The trader has been erased and cannot come back.'],
  needs_manager: [403, 'This change needs the role manager or higher.'],
  no_email: [409, 'The trader has no e-mail address.'],
})
