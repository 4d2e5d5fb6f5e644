import { expect, test } from 'bun:test'
import { guessMapping } from './guess-mapping.ts'

test('each field is guessed once', () => {
  expect(guessMapping(['E-mail', 'Other email', 'Surname', 'Mobile', 'Colour'])).toEqual({
    'E-mail': 'email',
    Surname: 'lastName',
    Mobile: 'phone',
  })
  expect(guessMapping(['Mail', 'Mailing list'])).toEqual({ Mail: 'email' })
})
