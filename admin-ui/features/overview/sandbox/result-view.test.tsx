import { expect, spyOn, test } from 'bun:test'
import { press, pressButton, renderPage, screen, seen, within } from '../../../testing/render.tsx'
import { isFigure } from './result-chart.tsx'
import { ResultView } from './result-view.tsx'
import type { SqlResult } from './sandbox.api.ts'

type Rows = SqlResult['rows']
const columns: SqlResult['columns'] = [
  { name: 'method', type: 'text' },
  { name: 'total', type: 'text' },
  { name: 'count', type: 'integer' },
]
const buildResult = (rows: Rows, with_: Partial<SqlResult> = {}): SqlResult => ({
  columns,
  rows,
  rowCount: rows.length,
  truncated: false,
  elapsedMs: 3,
  ...with_,
})
const many = (count: number): Rows => Array.from({ length: count }, (_, at) => [`method ${at}`, `${at}.00`, at])
const open = (result: SqlResult) => renderPage(<ResultView result={result} />)

test.each<[string, SqlResult['columns'][number]['type'], Rows[number], boolean]>([
  ['whole numbers', 'integer', [1, null], true],
  ['exact amounts', 'text', ['-12.50', '1200', null], true],
  ['words', 'text', ['12.50', 'twelve'], false],
  ['a text with a sign too many', 'text', ['--5'], false],
  ['nothing but NULL', 'text', [null, null], false],
  ['no rows', 'text', [], false],
])('a column of %s (type %s) is recognised as figures, or not', (_, type, cells, figure) => {
  const result = buildResult(
    cells.map((cell) => [cell]),
    { columns: [{ name: 'a', type }] },
  )
  expect(isFigure(result, 0)).toBe(figure)
})

test('figures are right-aligned, amounts are grouped and whole numbers are not, and NULL differs from an empty text', async () => {
  await open(
    buildResult([
      ['bank', '1500.00', 2026],
      ['', null, 0],
    ]),
  )
  const cells = within(await seen('table', 'Result')).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent)).toEqual(['bank', '1,500.00', '2026', '', 'NULL', '0'])
  expect(cells.map((cell) => cell.classList.contains('money'))).toEqual([false, true, true, false, true, true])
})

test('a result with many rows draws the first 500, and says so', async () => {
  await open(buildResult(many(501)))
  expect(within(await seen('table', 'Result')).getAllByRole('row')).toHaveLength(501)
  expect(screen.getByText('The first 500 rows are shown; the export has all of them.')).toBeDefined()
})

test.each([
  [15, 0],
  [16, 1],
])('a result of %d rows says %d times that there are more rows below', async (count, times) => {
  await open(buildResult(many(count)))
  await seen('table', 'Result')
  expect(screen.queryAllByText(`All ${count} rows are in the table: scroll it to see those below.`)).toHaveLength(times)
})

test('a result that was cut off says that there is more', async () => {
  await open(buildResult(many(1), { truncated: true }))
  expect((await screen.findByRole('status')).textContent).toContain('There is more')
})

test('a result without rows has neither table nor file', async () => {
  await open(buildResult([]))
  expect(await screen.findByText('The query found no rows')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull()
})

test('the file of a result has every row, not only the drawn ones', async () => {
  const files: Blob[] = []
  const make = spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:file'
  })
  const click = spyOn(HTMLElement.prototype, 'click').mockImplementation(() => undefined)
  await open(buildResult(many(600)))
  await pressButton('Export CSV')
  make.mockRestore()
  click.mockRestore()
  const lines = (await files[0]?.text())?.trimEnd().split('\n')
  expect([lines?.[0], lines?.at(-1), lines?.length]).toEqual(['method,total,count', 'method 599,599.00,599', 601])
})

test('a chart has figures along a column without figures, and says how many rows it has', async () => {
  await open(buildResult(many(61)))
  await press(await seen('radio', 'Chart'))
  expect(await seen('combobox', 'Along the bottom')).toHaveProperty('value', 'method')
  expect(await seen('combobox', 'Height of the bars')).toHaveProperty('value', 'total')
  expect(screen.getByText('The first 60 rows are drawn.')).toBeDefined()
  await press(await seen('combobox', 'Height of the bars'))
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['total', 'count'])
})

test('a result without a column of figures has no chart', async () => {
  await open(buildResult([['bank']], { columns: columns.slice(0, 1) }))
  await press(await seen('radio', 'Chart'))
  expect(await screen.findByText('A chart needs a column of numbers.')).toBeDefined()
})
