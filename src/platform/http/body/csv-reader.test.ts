import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../../problem.ts'
import { type CsvSource, openTable, readCsv } from './csv-reader.ts'

const all = async (source: CsvSource, most = 1000) => {
  const lines: [number, ...string[]][] = []
  for await (const { line, cells } of readCsv(source, most)) lines.push([line, ...cells])
  return lines
}
const refusal = (source: CsvSource): Promise<unknown> =>
  all(source).then(
    () => 'read',
    (error: unknown) => (error instanceof Problem ? error.errors[0]?.code : error),
  )

test.each([
  ['a,b\n1,2', ',', 1],
  ['a;b\n1;2', ';', 1],
  ['a\tb\n1\t2', 'tab', 1],
  ['\ufeffa,b\n1,2', 'a mark of byte order', 1],
  ['sep=;\r\na;b\r\n1;2', 'what Excel is told', 2],
  ['\ufeffsep=;\na;b\n1;2', 'both', 2],
  ['"sep=;"\r\na;b\r\n1;2', 'quotes around it', 2],
  ['sep=;;\r\na;b\r\n1;2', 'separators behind it', 2],
])('the CSV text %j is read (%s)', async (text, _, head) => {
  expect(await all({ text })).toEqual([
    [head, 'a', 'b'],
    [head + 1, '1', '2'],
  ])
})

test('a CSV file in which commas and semicolons fit equally well is split at the semicolons', async () => {
  expect(await all({ text: 'Nr;Balance, EUR;Fee, EUR\n1;1,50;2,00\n2;3,50;4,00' })).toEqual([
    [1, 'Nr', 'Balance, EUR', 'Fee, EUR'],
    [2, '1', '1,50', '2,00'],
    [3, '2', '3,50', '4,00'],
  ])
})

test('a CSV file may end its lines in three ways, even mixed', async () => {
  const found = await all({ text: 'a,b\r\n1,2\n3,4\r5,"6\n7"\r\n\n8,9' })
  expect(found.map(([, first]) => first)).toEqual(['a', '1', '3', '5', '8'])
})

test.each([
  ['a head of a million columns', `a${','.repeat(1_000_000)}`],
  ['a line of a million cells', `a,b\n1${','.repeat(1_000_000)}`],
  ['a last line that never ends', `a,b\n${'x'.repeat(200_000)}`],
  ['a record of cells with ends of lines in them', `a,b\n${'"\n",'.repeat(300_000)}`],
])('a CSV file with %s is refused before it is parsed', async (_, text) => {
  expect(await refusal({ text })).toMatch(/^(too_long|csv)$/)
  const path = join(tmpdir(), `brokerbase-test-csv-${process.pid}.csv`)
  writeFileSync(path, text)
  expect(await refusal({ path })).toMatch(/^(too_long|csv)$/)
  rmSync(path)
})

test('reading a CSV file that cannot be opened fails at once', async () => {
  expect(await refusal({ path: join(tmpdir(), 'brokerbase-test-there-is-none.csv') })).toBeInstanceOf(Error)
})

test('CSV records without a value are skipped, and a record has the number of the line where it begins', async () => {
  const text = 'a,b\n,,\n"1\n2",x\n , \r\n"3\r\n4",y\n5,z\n'
  expect(await all({ text })).toEqual([
    [1, 'a', 'b'],
    [3, '1\n2', 'x'],
    [6, '3\r\n4', 'y'],
    [8, '5', 'z'],
  ])
})

test('a quote inside a CSV cell is a letter, and digits that are written as text keep their zeros', async () => {
  expect(await all({ text: 'a,b\nA "Bee" C,="0012"\n"=""007""",5" pipe' })).toEqual([
    [1, 'a', 'b'],
    [2, 'A "Bee" C', '0012'],
    [3, '007', '5" pipe'],
  ])
})

test('a CSV file with a quote that is never closed is refused', async () => {
  expect(await refusal({ text: 'a,b\n1,"Bee\n2,"Cee\n3,x\n' })).toBe('csv')
  expect(await refusal({ text: 'a,b\n1,"Bee\n2,Cee\n' })).toBe('csv')
})

test('the separator of a CSV file is that of its table, not of a title above it or of amounts in it', async () => {
  const [, heads, line] = await all({ text: 'Clients, accounts, all\nName;Saldo;Ort\nAnn;1,50;"a,b,c"\nBob;2,50;x' })
  expect([heads, line]).toEqual([
    [2, 'Name', 'Saldo', 'Ort'],
    [3, 'Ann', '1,50', 'a,b,c'],
  ])
})

test('the header row of a CSV file is found below titles, or is the line that the caller names', async () => {
  const source = { text: 'Clients export\n\nName,Mail\nAnn,a\nBob,b' }
  const rate = (cells: readonly string[]) => (cells.includes('Mail') ? 2 : 0)
  const found = async (most: number, at?: number) => {
    const { heads, lines } = await openTable(source, most, rate, at)
    const rest: number[] = []
    for await (const { line } of lines) rest.push(line)
    return [heads.line, ...rest]
  }
  expect(await found(2)).toEqual([3, 4, 5])
  expect(await found(2, 4)).toEqual([4, 5])
  await expect(found(1)).rejects.toThrow()
  await expect(found(9, 2)).rejects.toThrow()
})
