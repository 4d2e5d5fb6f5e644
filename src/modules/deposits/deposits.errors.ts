import { defineErrors } from '../../platform/http/problem.ts'

export const depositErrors = defineErrors('deposits', {
  trader_not_active: [409, 'The trader is not active.'],
  not_smaller: [422, 'A partial settlement is for less than the announced amount; settle the deposit instead.'],
  gateway_not_active: [409, 'The payment gateway is disabled.'],
})
