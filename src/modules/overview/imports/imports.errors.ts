import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const importErrors = defineErrors('imports', () => ({
  open: [409, say('imports.error.open'), say('imports.todo.open')],
  own_import: [403, say('imports.error.own_import')],
  totals_differ: [409, say('imports.error.totals_differ')],
  touched: [409, say('imports.error.touched')],
}))
