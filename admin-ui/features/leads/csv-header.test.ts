import { describe, expect, test } from 'bun:test'
import { csvHeader, guessMapping } from './csv-header.ts'

describe('the header of a CSV file', () => {
  test('reads the first record alone', () => {
    expect(csvHeader('Email,First name\na@b.example,Ann')).toEqual(['Email', 'First name'])
  })

  test('keeps commas and quotes inside quotes, and drops the byte order mark', () => {
    expect(csvHeader('\uFEFF"Name, full","say ""hi""",x\r\n')).toEqual(['Name, full', 'say "hi"', 'x'])
  })

  test('guesses each field once', () => {
    expect(guessMapping(['E-mail', 'Other email', 'Surname', 'Mobile', 'Colour'])).toEqual({
      'E-mail': 'email',
      Surname: 'lastName',
      Mobile: 'phone',
    })
    expect(guessMapping(['Mail', 'Mailing list'])).toEqual({ Mail: 'email' })
  })
})
