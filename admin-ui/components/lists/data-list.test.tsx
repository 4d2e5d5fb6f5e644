import { expect, test } from 'bun:test'
import type { Role } from '../../lib/api/session.ts'
import type { Filter } from '../../lib/lists/filters.ts'
import { refusal } from '../../testing/answers.ts'
import { PHONE } from '../../testing/dom.ts'
import { keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../testing/render.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { type Column, DataList, type DataListProps } from './data-list.tsx'

type Item = { id: string; name: string; amount: string; note: string }
const item = (n: number): Item => ({ id: `i${n}`, name: `Item ${n}`, amount: `${n}.00`, note: `Note ${n}` })
const items = (count: number): Item[] => Array.from({ length: count }, (_, at) => item(at + 1))

const COLUMNS: readonly Column<Item>[] = [
  { key: 'name', title: 'Name', render: ({ name }) => name, sort: 'name' },
  { key: 'amount', title: 'Amount', align: 'right', render: ({ amount }) => amount },
  { key: 'note', title: 'Note', wide: true, render: ({ note }) => note },
  { key: 'id', title: 'Id', optional: true, render: ({ id }) => id },
]
const FILTERS: readonly Filter[] = [
  {
    key: 'status',
    label: 'Status',
    options: [
      { value: 'pending', label: 'Pending' },
      { value: 'settled', label: 'Settled' },
    ],
    fallback: 'pending',
  },
]

/** Draws a list of these rows; `asked` has the queries that were sent, `opened` the rows that were opened. */
async function renderList(
  rows: readonly Item[],
  more: Partial<DataListProps<Item>> = {},
  at = '/items',
  width?: number,
  role?: Role,
) {
  const asked: unknown[] = []
  const opened: string[] = []
  const chosen: string[][] = []
  const drawn = await renderPage(
    <DataList
      id="runs"
      label="Items"
      columns={COLUMNS}
      filters={FILTERS}
      searchPlaceholder="Name"
      fetch={async (query) => {
        asked.push(query)
        return { data: [...rows], nextCursor: null, total: rows.length }
      }}
      onOpen={({ id }) => opened.push(id)}
      rowName={({ name }) => name}
      acts={[
        {
          label: 'Act',
          fits: (some) => {
            chosen.push(some.map(({ id }) => id))
            return false
          },
          run: () => undefined,
        },
      ]}
      empty={<EmptyState title="Nothing is here yet" />}
      {...more}
    />,
    { at, route: '/items', ...(width !== undefined && { width }), ...(role && { role }) },
  )
  return { ...drawn, asked, opened, chosen: () => chosen.at(-1) ?? [] }
}
const tick = (name: string): Promise<HTMLElement> => seen('checkbox', `Choose ${name}`)
const heads = async (): Promise<string[]> =>
  within(await seen('table', 'Items'))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent?.trim() ?? '')
    .filter((text) => text !== '')

test('the arrow keys mark a row of a list and stop at its ends, and Enter opens the row', async () => {
  const { opened } = await renderList(items(3))
  await tick('Item 1')
  await keys('{ArrowDown}{ArrowDown}{Enter}')
  await keys('{ArrowUp}{ArrowUp}{ArrowUp}{Enter}')
  await keys('jjjjj{Enter}')
  expect(opened).toEqual(['i2', 'i1', 'i3'])
})

test('X chooses the marked row of a list, and another X releases it', async () => {
  const { chosen } = await renderList(items(3))
  await tick('Item 1')
  await keys('{ArrowDown}{ArrowDown}x')
  expect(chosen()).toEqual(['i2'])
  expect(screen.getByText('1 selected')).toBeDefined()
  await keys('x')
  expect(screen.queryByText('1 selected')).toBeNull()
})

test('Space chooses the marked row as X does', async () => {
  const { chosen } = await renderList(items(3))
  await tick('Item 1')
  await keys(' ')
  expect(chosen()).toEqual([])
  await keys('{ArrowDown}{ArrowDown} ')
  expect(chosen()).toEqual(['i2'])
})

test('Shift chooses all rows from the last chosen one on', async () => {
  const { chosen } = await renderList(items(5))
  await press(await tick('Item 2'))
  await press(await tick('Item 4'), 'Shift')
  expect(chosen()).toEqual(['i2', 'i3', 'i4'])
})

test('one checkbox chooses all shown rows, except those that cannot be chosen', async () => {
  const { chosen } = await renderList(items(3), {
    selectable: { when: ({ id }) => id !== 'i2', otherwise: 'You asked for it yourself' },
  })
  await press(await seen('checkbox', 'Choose all rows shown'))
  expect(chosen()).toEqual(['i1', 'i3'])
  expect(await seen('checkbox', 'You asked for it yourself')).toHaveProperty('disabled', true)
  await pressButton('Deselect')
  expect(screen.queryByText('2 selected')).toBeNull()
})

test('a change of the filter releases the chosen rows, since they are no longer shown', async () => {
  await renderList(items(3))
  await press(await tick('Item 1'))
  expect(screen.getByText('1 selected')).toBeDefined()
  await pressButton('Clear the filter Status')
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
})

test('a press on a row opens it, and one on its checkbox only chooses it', async () => {
  const { opened, chosen } = await renderList(items(2))
  await press(await tick('Item 1'))
  expect([opened, chosen()]).toEqual([[], ['i1']])
  await press(screen.getByText('Note 2'))
  expect(opened).toEqual(['i2'])
})

test('a list is sorted by a column head, the largest first, and reversed by a second press', async () => {
  const { address, asked } = await renderList(items(2))
  await tick('Item 1')
  await pressButton('Name')
  await waitFor(() => expect(address()).toContain('sort=-name'))
  await pressButton('Name')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'name' }))
  expect(screen.getByRole('columnheader', { name: /Name/ }).getAttribute('aria-sort')).toBe('ascending')
})

test('a column of amounts says that the list is sorted by it within one currency', async () => {
  const columns = COLUMNS.map((column) => (column.key === 'amount' ? { ...column, sort: 'amount' } : column))
  await renderList(items(1), { columns })
  expect(await screen.findByTitle('Choose one currency to sort by this column.')).toHaveProperty(
    'textContent',
    'Amount',
  )
  await renderList(items(1), { columns }, '/items?currency=EUR')
  expect(await seen('button', 'Amount')).toBeDefined()
})

test('columns are hidden and moved, and the list remembers it until it is reset', async () => {
  await renderList(items(1))
  expect(await heads()).toEqual(['Name', 'Amount', 'Note'])
  await pressButton('Choose columns and density')
  await press(await screen.findByLabelText('Amount'))
  await press(await screen.findByLabelText('Id'))
  await pressButton('Move Note to the left')
  await waitFor(async () => expect(await heads()).toEqual(['Name', 'Note', 'Id']))
  expect(localStorage.getItem('list:runs')).toContain('amount')
  await pressButton('Reset columns')
  await waitFor(async () => expect(await heads()).toEqual(['Name', 'Amount', 'Note']))
})

test('the column that names the row cannot be hidden', async () => {
  await renderList(items(1))
  await pressButton('Choose columns and density')
  expect(await seen('checkbox', 'Name')).toHaveProperty('disabled', true)
})

test('a list stays compact once it is set', async () => {
  await renderList(items(1))
  await pressButton('Choose columns and density')
  await press(await screen.findByLabelText('Compact rows'))
  await waitFor(async () => expect((await seen('table', 'Items')).hasAttribute('data-dense')).toBe(true))
  expect(JSON.parse(localStorage.getItem('list:runs') ?? '{}')).toEqual({ dense: true })
})

test('a phone shows rows as cards without the wide columns, and cards can be chosen and opened', async () => {
  const { opened, chosen } = await renderList(items(2), {}, '/items', PHONE)
  const cards = await seen('list', 'Items')
  expect(screen.queryByRole('table')).toBeNull()
  expect(within(cards).queryByText('Note 1')).toBeNull()
  await press(await tick('Item 2'))
  expect(chosen()).toEqual(['i2'])
  await press(within(cards).getByText('1.00'))
  expect(opened).toEqual(['i1'])
})

test('a phone keeps the filters behind a button that says how many are set', async () => {
  const { address } = await renderList(items(1), {}, '/items', PHONE)
  await tick('Item 1')
  expect(screen.queryByRole('button', { name: 'Add a filter' })).toBeNull()
  await pressButton('Filters: 1 set')
  await pressButton('Clear the filter Status')
  await waitFor(() => expect(address()).toBe('/items?status=*'))
  await pressButton('Filters')
  expect(screen.queryByRole('button', { name: 'Add a filter' })).toBeNull()
})

test('the foot of a list shows how many of all rows are read, and the server’s sums of a column', async () => {
  await renderList([], {
    counted: 'sums',
    sumOf: 'Taken',
    fetch: async () => ({
      data: items(2),
      nextCursor: 'more',
      total: 1234,
      sums: [
        { currency: 'EUR', count: 1000, amount: '1234567.89' },
        { currency: 'JPY', count: 234, amount: '98765' },
      ],
    }),
  })
  expect(await screen.findByText('2 of 1,234')).toBeDefined()
  expect(screen.getByText('Taken')).toBeDefined()
  expect(screen.getByText('1,234,567.89')).toBeDefined()
  expect(screen.getByText('98,765')).toBeDefined()
})

test('a list with more rows than the server counts shows “more than”', async () => {
  await renderList([], {
    counted: 'count',
    fetch: async () => ({ data: items(2), nextCursor: 'more', total: 10_000, totalIsMinimum: true }),
  })
  expect(await screen.findByText('2 of more than 10,000')).toBeDefined()
})

test.each([
  [2, /^2 rows found so far: the search matches too many/],
  [0, /^The search matches too many rows/],
])('a search that examined only a part of its matches says so: %d rows', async (total, said) => {
  const page = { data: items(total), nextCursor: null, total, totalIsMinimum: true }
  await renderList([], { counted: 'count', fetch: async () => page }, '/items?q=wire')
  expect(await screen.findByText(said)).toBeDefined()
})

test('“Load more” adds the next rows of a list below the present ones', async () => {
  const cursors: unknown[] = []
  await renderList([], {
    fetch: async ({ cursor }) => {
      cursors.push(cursor)
      return cursor === 'two' ? { data: [item(3)], nextCursor: null } : { data: items(2), nextCursor: 'two' }
    },
  })
  await pressButton('Load more')
  expect(await screen.findByText('Item 3')).toBeDefined()
  expect(screen.getByText('Item 1')).toBeDefined()
  expect(screen.getByText('3 rows')).toBeDefined()
  expect(cursors).toEqual(['', 'two'])
})

test('present rows are not drawn again when more are added below', async () => {
  const drawn: string[] = []
  const [name] = COLUMNS
  const noted: Column<Item> = {
    key: 'name',
    title: 'Name',
    render: (row) => {
      drawn.push(row.id)
      return name?.render(row)
    },
  }
  await renderList([], {
    columns: [noted],
    fetch: async ({ cursor }) =>
      cursor === 'two' ? { data: [item(3)], nextCursor: null } : { data: items(2), nextCursor: 'two' },
  })
  await screen.findByText('Item 2')
  drawn.length = 0
  await pressButton('Load more')
  await screen.findByText('Item 3')
  expect(new Set(drawn)).toEqual(new Set(['i3']))
})

test('a list without rows explains what it will contain', async () => {
  await renderList([])
  expect(await screen.findByText('Nothing is here yet')).toBeDefined()
})

test('a list without matches offers to clear search and filters by one press', async () => {
  const { address } = await renderList([], {}, '/items?q=zz&status=settled')
  await pressButton('Clear search and filters')
  await waitFor(() => expect(address()).toBe('/items?status=*'))
})

test('a search in a list of one status says how many more rows have another status, and shows them', async () => {
  const fetch = async ({ status, limit }: { status?: unknown; limit?: unknown }) => {
    const found = items(status === undefined ? 6 : 1)
    return { data: found.slice(0, Number(limit)), nextCursor: null, total: found.length }
  }
  const { address } = await renderList([], { counted: 'count', fetch }, '/items?q=tobias')
  expect(await screen.findByText('5 more with another status')).toBeDefined()
  await pressButton('Show')
  await waitFor(() => expect(address()).toBe('/items?q=tobias&status=*'))
  await waitFor(() => expect(screen.queryByText('5 more with another status')).toBeNull())
})

test('a list without a search is read only once, and rows of other statuses are not counted', async () => {
  const { asked } = await renderList(items(1), { counted: 'count' })
  await tick('Item 1')
  expect(asked).toHaveLength(1)
})

test('a list explains an address that the server refuses, and offers to clear it', async () => {
  const { address } = await renderList(
    [],
    {
      fetch: async (query) => {
        if (query.sort === 'nonsense')
          throw await import('../../lib/api/http.ts').then(({ readProblem }) =>
            readProblem(refusal(400, 'validation_failed', 'No', [{ path: 'query.sort', message: 'no' }])),
          )
        return { data: items(1), nextCursor: null }
      },
    },
    '/items?sort=nonsense',
  )
  expect(await screen.findByText('Order “nonsense”')).toBeDefined()
  await pressButton('Show without it')
  expect(await screen.findByText('Item 1')).toBeDefined()
  expect(address()).toBe('/items')
})

test('rows stay when reading them again fails, with a note that they may be old', async () => {
  let fails = false
  await renderList([], {
    fetch: async () => {
      if (fails) throw new Error('gone')
      return { data: items(1), nextCursor: null }
    },
  })
  expect(await screen.findByText('Item 1')).toBeDefined()
  fails = true
  await pressButton('Refresh')
  expect(await screen.findByText(/These rows may be old/)).toBeDefined()
  expect(screen.getByText('Item 1')).toBeDefined()
  fails = false
  await pressButton('Try again')
  await waitFor(() => expect(screen.queryByText(/These rows may be old/)).toBeNull())
})

test('a slash focuses the search, and the down arrow from there the first row', async () => {
  const { opened } = await renderList(items(2))
  await tick('Item 1')
  await keys('/')
  const search = await seen('searchbox', 'Name')
  expect(document.activeElement).toBe(search)
  await keys('jx')
  expect(search).toHaveProperty('value', 'jx')
  await keys('{ArrowDown}{Enter}')
  expect(opened).toEqual(['i1'])
})

test('a list inside another page has no toolbar, and does not use the arrow keys', async () => {
  const { opened } = await renderList(items(2), { plain: true })
  await tick('Item 1')
  expect(screen.queryByRole('searchbox')).toBeNull()
  await keys('{ArrowDown}{Enter}')
  expect(opened).toEqual([])
})

const file = (): Element | null => document.querySelector('[aria-label="Export"]')

test('the link to a list’s file has the filters, search and order of the list', async () => {
  await renderList([item(1)], { file: 'deposits.export', usualSort: 'createdAt' }, '/items?sort=-amount')
  await seen('link', 'Export')
  expect(file()?.getAttribute('href')).toBe('/v1/deposits/export.csv?sort=-amount&status=pending')
})

test('a search with too many rows offers no link to its file, and says why', async () => {
  const rows = { data: [item(1)], nextCursor: null, total: 10_000, totalIsMinimum: true }
  await renderList([], { file: 'deposits.export', fetch: async () => rows }, '/items?q=an')
  const button = await seen('button', 'Export')
  expect([file()?.getAttribute('href'), button.getAttribute('aria-disabled')]).toEqual([null, 'true'])
  await renderList([], { file: 'deposits.export', fetch: async () => rows }, '/items')
  await seen('link', 'Export')
})

test('a list offers no file to a reader who may not export', async () => {
  await renderList([item(1)], { file: 'deposits.export' }, '/items', undefined, 'operator')
  await seen('button', 'Refresh')
  expect(file()).toBeNull()
})
