import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { guessSeparator } from '../../../src/words/csv-dialect.ts'
import { findHeadings, namedColumns, readFirstRecords } from './csv-heads.ts'

const readHeadings = (text: string): string[] => readFirstRecords(text)[0]?.cells ?? []

describe('the headings of a CSV file', () => {
  test('the headings of a CSV file are its first record alone', () => {
    expect(readHeadings('Email,First name\na@b.example,Ann')).toEqual(['Email', 'First name'])
  })

  test('headings keep commas and quotes inside quotes, and have no byte order mark', () => {
    expect(readHeadings('\uFEFF"Name, full","say ""hi""",x\r\n')).toEqual(['Name, full', 'say "hi"', 'x'])
  })

  test.each([
    ['by semicolon', 'Mail;Name\n1,2,3;x', ['Mail', 'Name']],
    ['by tab', 'Mail\tName, full\tx', ['Mail', 'Name, full', 'x']],
    ['by comma where it is most frequent', 'Mail,Name,Age;x', ['Mail', 'Name', 'Age;x']],
    ['by semicolon where both are as frequent', 'Mail;Name,x', ['Mail', 'Name,x']],
    ['over a line break within quotes', '"Full\nname",Mail\nx', ['Full\nname', 'Mail']],
    ['with old line ends', 'Mail,Name\rx,y', ['Mail', 'Name']],
    ['below blank lines', ' \n\r\nMail,Name', ['Mail', 'Name']],
    ['of an empty file', '', []],
  ])('headings are read %s', (_, text, headings) => {
    expect(readHeadings(text)).toEqual(headings)
  })

  test('the console reads the same headings as the server’s parser', () => {
    const name = fc.string({ unit: fc.constantFrom(...'aB ,;\t"é\u00a0\u3000\ufeff'), minLength: 1, maxLength: 6 })
    const cell = fc.tuple(name, fc.boolean()).map(([text, isQuoted]) => {
      const isPlain = !/[",;\t]/.test(text)
      return isQuoted || !isPlain ? `"${text.replaceAll('"', '""')}"` : text
    })
    fc.assert(
      fc.property(fc.array(cell, { minLength: 3, maxLength: 5 }), fc.constantFrom(',', ';'), (cells, separator) => {
        const head = cells.join(separator)
        const delimiter = guessSeparator(`${head}\r\nx`)
        fc.pre(delimiter === separator && head.replaceAll(/[\s",;\ufeff]/g, '') !== '')
        const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, trim: true }
        expect([readHeadings(`${head}\r\nx`)]).toEqual(parse(`${head}\r\nx`, { ...options, to: 1 }))
      }),
    )
  })

  test('records are numbered by the line where they begin, and headings are found below a title', () => {
    const records = readFirstRecords('Export; all\r\n;;\r\n"a\nb";Mail;Name\rx;="007";z')
    expect(records).toEqual([
      { line: 1, cells: ['Export', 'all'] },
      { line: 3, cells: ['a\nb', 'Mail', 'Name'] },
      { line: 5, cells: ['x', '007', 'z'] },
    ])
    expect(findHeadings(records, (cells) => (cells.includes('Mail') ? 2 : 0))?.line).toBe(3)
    expect(findHeadings([], () => 0)).toBeUndefined()
  })

  test('the separator in Excel’s own first line is used, and that line is not part of the table', () => {
    expect(readFirstRecords('sep=;\r\na,b,c;Mail\r\nx,y,z;1')).toEqual([
      { line: 2, cells: ['a,b,c', 'Mail'] },
      { line: 3, cells: ['x,y,z', '1'] },
    ])
  })

  test('only headings with a text are columns, and the same text is one column', () => {
    expect(namedColumns(['Phone', '', 'Mail', 'Phone'])).toEqual(['Phone', 'Mail'])
  })

  test('a large file that never closes a quote is not searched to its end for headings', () => {
    expect(readHeadings(`"${'x'.repeat(1_000_000)}`)[0]?.length).toBeLessThan(200_000)
  })
})
