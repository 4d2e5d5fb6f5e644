import { defineErrors } from '../../platform/http/problem.ts'

/** Codes that rules.md names stand without the module's name. */
const named = defineErrors('', {
  reference_used: [409, 'A deposit was credited with this payment reference already.'],
})

export const depositErrors = {
  ...named,
  ...defineErrors('deposits', {
    trader_not_active: [409, 'The trader is not active.'],
    not_smaller: [422, 'A partial settlement is for less than the announced amount; settle the deposit instead.'],
    gateway_not_active: [409, 'The payment gateway is disabled.'],
    not_announced: [403, 'Only staff cancel what staff announced.'],
  }),
}
