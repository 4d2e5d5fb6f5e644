import { defineErrors } from '../../platform/http/problem.ts'

export const traderErrors = defineErrors('traders', {
  not_deleted: [409, 'The trader is not deleted.'],
  erased: [409, 'The trader has been erased and cannot come back.'],
  needs_manager: [403, 'This change needs the role manager or higher.'],
  has_access: [409, 'The trader signs in already: a key neither mails another link nor changes the address.'],
  open_money: [409, 'The trader still has money or money on its way.'],
  too_many_segments: [409, 'The trader would have more than 50 segments.'],
  merged: [409, 'The trader was merged into another one and cannot come back.'],
  no_email: [409, 'The trader has no e-mail address.'],
})
