import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { csvHeader, guessMapping } from './csv-header.ts'

describe('the header of a CSV file', () => {
  test('reads the first record alone', () => {
    expect(csvHeader('Email,First name\na@b.example,Ann')).toEqual(['Email', 'First name'])
  })

  test('keeps commas and quotes inside quotes, and drops the byte order mark', () => {
    expect(csvHeader('\uFEFF"Name, full","say ""hi""",x\r\n')).toEqual(['Name, full', 'say "hi"', 'x'])
  })

  test.each([
    ['by semicolon', 'Mail;Name\n1,2,3;x', ['Mail', 'Name']],
    ['by tab', 'Mail\tName, full\tx', ['Mail', 'Name, full', 'x']],
    ['by comma where nothing else is more frequent', 'Mail,Name;x', ['Mail', 'Name;x']],
    ['over a line break within quotes', '"Full\nname",Mail\nx', ['Full\nname', 'Mail']],
    ['with old line ends', 'Mail,Name\rx,y', ['Mail', 'Name']],
    ['without columns that have no name', ' Mail ,,Name, ', ['Mail', 'Name']],
    ['once for two columns of one name', 'Phone,Mail,Phone', ['Phone', 'Mail']],
    ['of an empty file', '', []],
  ])('is read %s', (_, text, names) => {
    expect(csvHeader(text)).toEqual(names)
  })

  test('reads back whatever names were quoted', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !text.startsWith('\uFEFF'))
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2 }), (names) => {
        const quoted = names.map((text) => `"${text.replaceAll('"', '""').replace(/[;\t\r\n]/g, '_')}"`)
        const kept = [...new Set(names.map((text) => text.replace(/[;\t\r\n]/g, '_').trim()))]
        expect(csvHeader(`${quoted.join(';')}\nx`.replaceAll(',', ''))).toEqual([
          ...new Set(kept.map((text) => text.replaceAll(',', '').trim()).filter(Boolean)),
        ])
      }),
    )
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
