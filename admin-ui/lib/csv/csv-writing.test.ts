import { expect, test } from 'bun:test'
import { readFirstRecords } from './csv-heads.ts'
import { csvText, findCsvForm } from './csv-writing.ts'

test('a CSV file has the column names, quotes values that need it, and contains no formula', () => {
  const rows = [
    ['a,b', 'say "x"', 'two\nlines', null, 1.5],
    ['=1+1', '-5.20', '-x', '@SUM(A1)', -3],
  ]
  const heads = ['a', 'b', 'c', 'd', '=e'].map((title) => ({ title }))
  expect(csvText(heads, rows)).toBe(
    `\ufeffa,b,c,d,'=e\n"a,b","say ""x""","two\nlines",,1.5\n'=1+1,-5.20,'-x,'@SUM(A1),-3\n`,
  )
})

test('a file has the signs of the reader’s spreadsheet', () => {
  const forms = [
    ['en', 'en-GB'],
    ['de', 'de-DE'],
    ['de', 'de-CH'],
  ] as const
  expect(forms.map(([tongue, place]) => Object.values(findCsvForm(tongue, place)).join(' '))).toEqual([
    ', .',
    '; ,',
    '; .',
  ])
  const heads = [{ title: 'Betrag', align: 'right' as const }, { title: 'Text' }]
  const rows = [
    ['-1234.50', '=1;2'],
    [0.5, '1.5'],
  ]
  expect(csvText(heads, rows, findCsvForm('de', 'de-DE'))).toBe(`\ufeffBetrag;Text\n-1234,50;"'=1;2"\n0,5;1.5\n`)
})

test('the importer reads a German file again, with its decimal commas', () => {
  const heads = [{ title: 'Kunde' }, { title: 'Einzahlung', align: 'right' as const }, { title: 'Notiz' }]
  const rows = [
    ['Müller, Jörg', '4605.00', 'eins; "zwei"'],
    ['Ana', '1.50', ''],
  ]
  const text = csvText(heads, rows, { separator: ';', decimal: ',' }).replace('\ufeff', '')
  expect(readFirstRecords(text).map(({ cells }) => cells)).toEqual([
    ['Kunde', 'Einzahlung', 'Notiz'],
    ['Müller, Jörg', '4605,00', 'eins; "zwei"'],
    ['Ana', '1,50', ''],
  ])
})
