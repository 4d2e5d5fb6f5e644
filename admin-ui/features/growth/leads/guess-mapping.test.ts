import { expect, test } from 'bun:test'
import { guessMapping } from './guess-mapping.ts'

test('each field of a lead is guessed for one column', () => {
  expect(guessMapping(['E-mail', 'Other email', 'Surname', 'Mobile', 'Colour'])).toEqual({
    'E-mail': 'email',
    Surname: 'lastName',
    Mobile: 'phone',
  })
  expect(guessMapping(['Mail', 'Mailing list'])).toEqual({ Mail: 'email' })
})
