import { expect, test } from 'bun:test'
import { csvText } from './csv-writing.ts'

test('a CSV file has the column names, quotes values that need it, and contains no formula', () => {
  const rows = [
    ['a,b', 'say "x"', 'two\nlines', null, 1.5],
    ['=1+1', '-5.20', '-x', '@SUM(A1)', -3],
  ]
  expect(csvText(['a', 'b', 'c', 'd', '=e'], rows)).toBe(
    `a,b,c,d,'=e\n"a,b","say ""x""","two\nlines",,1.5\n'=1+1,-5.20,'-x,'@SUM(A1),-3\n`,
  )
})
