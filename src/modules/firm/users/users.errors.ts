import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const userErrors = defineErrors('users', () => ({
  renamed_often: [409, say('users.error.renamed_often')],
  name_taken: [409, say('users.error.name_taken')],
}))
