import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const traderErrors = defineErrors('traders', () => ({
  not_deleted: [409, say('client.error.not_deleted')],
  erased: [409, say('client.error.erased')],
  needs_manager: [403, say('client.error.needs_manager')],
  needs_admin: [403, say('client.error.needs_admin')],
  has_access: [409, say('client.error.has_access')],
  open_money: [409, say('client.error.open_money')],
  too_many_segments: [409, say('client.error.too_many_segments')],
  merged: [409, say('client.error.merged')],
  no_email: [409, say('client.error.no_email')],
}))

/** The refusal of a change of a client's affiliate has an error code of `affiliates`. */
export const affiliateErrors = defineErrors('affiliates', () => ({
  needs_manager: [403, say('affiliates.error.needs_manager')],
}))
