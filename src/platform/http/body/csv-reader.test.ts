import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../../problem.ts'
import { type CsvSource, readCsv } from './csv-reader.ts'

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
])('%j is read: %s', async (text, _, head) => {
  expect(await all({ text })).toEqual([
    [head, 'a', 'b'],
    [head + 1, '1', '2'],
  ])
})

test('lines may end in each of the three ways, even in one file', async () => {
  const found = await all({ text: 'a,b\r\n1,2\n3,4\r5,"6\n7"\r\n\n8,9' })
  expect(found.map(([, first]) => first)).toEqual(['a', '1', '3', '5', '8'])
})

test.each([
  ['a head of a million columns', `a${','.repeat(1_000_000)}`],
  ['a line of a million cells', `a,b\n1${','.repeat(1_000_000)}`],
  ['a last line that never ends', `a,b\n${'x'.repeat(200_000)}`],
  ['a record of cells with ends of lines in them', `a,b\n${'"\n",'.repeat(300_000)}`],
])('%s is refused before it is parsed', async (_, text) => {
  expect(await refusal({ text })).toMatch(/^(too_long|csv)$/)
  const path = join(tmpdir(), `brokerbase-test-csv-${process.pid}.csv`)
  writeFileSync(path, text)
  expect(await refusal({ path })).toMatch(/^(too_long|csv)$/)
  rmSync(path)
})

test('a file that cannot be opened fails, and waits for nothing', async () => {
  expect(await refusal({ path: join(tmpdir(), 'brokerbase-test-there-is-none.csv') })).toBeInstanceOf(Error)
})
