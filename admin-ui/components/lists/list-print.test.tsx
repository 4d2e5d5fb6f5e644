import { beforeEach, expect, test } from 'bun:test'
import type { Page, Query } from '../../api.ts'
import { usePrintKey } from '../../lib/screen/print-page.ts'
import { act, keys, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { type Column, DataList } from './data-list.tsx'

type Item = { id: string; name: string; note: string }
const buildItems = (from: number, count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({ id: `i${from + at}`, name: `Item ${from + at}`, note: '' }))
const COLUMNS: readonly Column<Item>[] = [
  { key: 'name', title: 'Name', render: ({ name }) => name },
  { key: 'note', title: 'Note', render: ({ note }) => note || '—' },
]

/** Answers pages of a list of so many rows, whose cursor is the number of the first row. */
const pagesFrom =
  (total: number) =>
  async ({ cursor, limit }: Query): Promise<Page<Item> & { total: number }> => {
    const [first, most] = [Number(cursor), Number(limit)]
    const rest = Math.max(0, total - first)
    return {
      data: buildItems(first, Math.min(most, rest)),
      nextCursor: rest > most ? String(first + most) : null,
      total,
    }
  }

let printed: string[] = []
beforeEach(() => {
  printed = []
  Object.assign(window, { print: () => printed.push(screen.getByText(/^(\d+ rows|[\d,]+ of [\d,]+)$/).textContent) })
})

const WithKey = ({ fetch }: { fetch: (query: Query) => Promise<Page<Item>> }) => {
  usePrintKey()
  return <DataList id="runs" label="Items" columns={COLUMNS} fetch={fetch} counted="count" empty="Nothing" />
}
/** Draws a list of these pages; `asked` has the limit and cursor of each. */
async function renderList(fetch: (query: Query) => Promise<Page<Item>>) {
  const asked: string[] = []
  await renderPage(
    <WithKey
      fetch={(query) => {
        asked.push(`${query.limit} from ${query.cursor}`)
        return fetch(query)
      }}
    />,
    { at: '/items', route: '/items' },
  )
  await screen.findByText('Item 1')
  return asked
}
const tellWindow = (event: 'beforeprint' | 'afterprint') => act(async () => void window.dispatchEvent(new Event(event)))

test('the print button of a list reads all its rows before it prints', async () => {
  const asked = await renderList(pagesFrom(265))
  await pressButton('Print')
  await waitFor(() => expect(printed).toEqual(['265 rows']))
  expect(asked).toEqual(['50 from ', '200 from 50', '200 from 250'])
  await waitFor(() => expect(screen.queryByText(/read to be printed/)).toBeNull())
})

test('Ctrl-P reads all rows, too; if they are all there, the browser prints by itself', async () => {
  await renderList(pagesFrom(60))
  await keys('{Control>}p{/Control}')
  await waitFor(() => expect(printed).toEqual(['60 rows']))
  await keys('{Control>}p{/Control}')
  await pressButton('Print')
  expect(printed).toEqual(['60 rows', '60 rows'])
})

test('a long list is printed up to a limit', async () => {
  const asked = await renderList(pagesFrom(9_000))
  await pressButton('Print')
  await waitFor(() => expect(printed).toEqual(['2,050 of 9,000']))
  expect(asked.at(-1)).toBe('200 from 1850')
})

test('paper says how many rows are left out, and leaves out columns that are empty', async () => {
  await renderList(pagesFrom(265))
  await tellWindow('beforeprint')
  expect(screen.getByText('Only the first 50 of 265 rows are printed.')).toBeDefined()
  const kinds = screen.getAllByRole('columnheader').map(({ textContent, dataset }) => [textContent, dataset.paper])
  expect(kinds).toEqual([
    ['Name', 'short'],
    ['Note', 'empty'],
  ])
  await tellWindow('afterprint')
  expect(screen.queryByText(/are printed/)).toBeNull()
})

test('nothing is printed if the rows cannot be read', async () => {
  const answer = pagesFrom(265)
  await renderList((query) => (query.cursor ? Promise.reject(new DOMException('no', 'SyntaxError')) : answer(query)))
  await pressButton('Print')
  expect(await screen.findByText(/^Nothing was printed/)).toBeDefined()
  expect(printed).toEqual([])
})

test('whoever closes the notice of the reading stops it', async () => {
  const answer = pagesFrom(265)
  const further = Promise.withResolvers<void>()
  await renderList(async (query) => {
    if (query.cursor) await further.promise
    return answer(query)
  })
  await pressButton('Print')
  await screen.findByText('50 of 265 rows read to be printed')
  await pressButton('Close')
  further.resolve()
  await screen.findByText('250 of 265')
  await waitFor(async () => expect(await seen('button', 'Print')).toBeDefined())
  expect(printed).toEqual([])
})
