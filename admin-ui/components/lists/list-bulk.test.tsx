import { expect, test } from 'bun:test'
import type { Query } from '../../api.ts'
import { ApiError } from '../../lib/api/http.ts'
import type { Filter } from '../../lib/lists/filters.ts'
import { keys, press, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { DataList, type DataListProps } from './data-list.tsx'

type Item = { id: string; amount: string; currency: string }
const item = (n: number): Item => ({ id: `i${n}`, amount: n % 2 ? '10.50' : '700', currency: n % 2 ? 'EUR' : 'JPY' })
const FILTERS: readonly Filter[] = [{ key: 'status', label: 'Status', fallback: 'pending' }]
const ALL = 'Choose all rows shown'

const failOdd = ({ id }: Item, at: number) => ({ id, ok: at % 2 === 1 })
/** Draws a list of `count` rows, in pages of the length that is asked for; `acted` has the ids that the button got. */
const open = async (count: number, more: Partial<DataListProps<Item>> = {}) => {
  const asked: Query[] = []
  const acted: string[][] = []
  const read = async (query: Query) => {
    asked.push(query)
    const from = Number(query.cursor || 0)
    const end = Math.min(from + Number(query.limit), count)
    const data = Array.from({ length: end - from }, (_, at) => item(from + at + 1))
    return { data, nextCursor: end < count ? String(end) : null, total: count }
  }
  const drawn = await renderPage(
    <DataList
      id="runs"
      label="Items"
      columns={[{ key: 'id', title: 'Id', render: ({ id }) => id }]}
      filters={FILTERS}
      fetch={read}
      counted="count"
      rowName={({ id }) => id}
      acts={[
        { hotkey: 's', label: 'Act', run: ({ rows }) => acted.push(rows.map(({ id }) => id)) },
        { hotkey: 'r', label: 'Fail', run: ({ rows, settle }) => settle(rows.map(failOdd)) },
      ]}
      empty={<EmptyState title="Nothing is here yet" />}
      {...more}
    />,
    { at: '/items', route: '/items' },
  )
  return { ...drawn, asked, acted }
}

test('the bar of chosen rows shows their sum in each currency, even in one without decimals', async () => {
  await open(4)
  await press(await seen('checkbox', ALL))
  const bar = document.querySelector('.bulk')
  expect(bar?.textContent).toContain('4 selected')
  expect(bar?.textContent).toContain('21.00 EUR')
  expect(bar?.textContent).toContain('1,400 JPY')
  expect(screen.queryByRole('button', { name: /that match/ })).toBeNull()
})

test('“Select all that match” reads the further rows in large pages and chooses them', async () => {
  const { asked, acted } = await open(420)
  await press(await seen('checkbox', ALL))
  await pressButton('Select all 420 that match')
  expect(await screen.findByText('420 selected')).toBeDefined()
  expect(asked.map(({ limit }) => limit)).toEqual([50, 200, 200])
  await keys('s')
  expect(acted.at(-1)).toHaveLength(420)
})

test('a list offers to choose only its first rows if its actions take no more', async () => {
  const { acted } = await open(420, { bulkMost: 100 })
  await press(await seen('checkbox', ALL))
  await pressButton('Select the first 100 of 420')
  expect(await screen.findByText('100 selected')).toBeDefined()
  await pressButton('Act')
  expect(acted[0]).toEqual(Array.from({ length: 100 }, (_, at) => `i${at + 1}`))
})

test('no action is offered while more rows are chosen than it takes', async () => {
  await open(30, { bulkMost: 20 })
  await press(await seen('checkbox', ALL))
  expect(screen.getByText('At most 20 at once')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Act' })).toBeNull()
  await pressButton('Select the first 20 of 30')
  expect(await seen('button', 'Act')).toBeDefined()
})

test('rows that cannot be chosen are counted, and stay out when all are chosen', async () => {
  const { acted } = await open(60, {
    selectable: { when: ({ currency }) => currency === 'EUR', otherwise: 'Not in EUR' },
  })
  await press(await seen('checkbox', ALL))
  expect(screen.getByText('25 cannot be selected')).toBeDefined()
  await pressButton('Select all 60 that match')
  expect(await screen.findByText('30 selected')).toBeDefined()
  await pressButton('Act')
  expect(acted[0]).toHaveLength(30)
})

const firstPage = { data: Array.from({ length: 50 }, (_, at) => item(at + 1)), nextCursor: '50', total: 420 }

test('a change of the filter ends the reading of further rows and leaves no row chosen', async () => {
  await open(420, { fetch: async ({ cursor }) => (cursor ? new Promise(() => undefined) : firstPage) })
  await press(await seen('checkbox', ALL))
  await pressButton('Select all 420 that match')
  expect(await screen.findByText('Reading: 50 of 420')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Act' })).toBeNull()
  await pressButton('Clear the filter Status')
  await waitFor(() => expect(document.querySelector('.bulk')).toBeNull())
})

test('the chosen rows stay chosen if the reading of further rows is stopped or fails', async () => {
  let isDown = false
  await open(420, {
    fetch: async ({ cursor }) => {
      if (cursor && isDown) throw new ApiError({ status: 422, title: 'Not now' })
      return cursor ? new Promise(() => undefined) : firstPage
    },
  })
  await press(await seen('checkbox', ALL))
  await pressButton('Select all 420 that match')
  await pressButton('Stop')
  expect(await screen.findByText('50 selected')).toBeDefined()
  isDown = true
  await pressButton('Select all 420 that match')
  expect(await screen.findByText('Not now')).toBeDefined()
  expect(screen.getByText('50 selected')).toBeDefined()
})

test('a chosen row that leaves the list is no longer chosen, and the bar says so', async () => {
  let count = 3
  await open(3, { fetch: async () => ({ ...firstPage, data: firstPage.data.slice(0, count), nextCursor: null }) })
  await press(await seen('checkbox', ALL))
  count = 2
  await pressButton('Refresh')
  expect(await screen.findByText('1 no longer in the list')).toBeDefined()
  expect(screen.getByText('2 selected')).toBeDefined()
})

test('the key of the main action works while a checkbox has the focus, but not in the search', async () => {
  const { acted } = await open(2, { searchPlaceholder: 'Id' })
  await press(await seen('checkbox', 'Choose i1'))
  await keys('s')
  expect(acted).toEqual([['i1']])
  await press(await seen('searchbox', /Id/))
  await keys('s')
  expect(acted).toHaveLength(1)
})

test('the key of an act is for the chosen rows, and without any for the marked one', async () => {
  const { acted } = await open(3)
  await seen('checkbox', ALL)
  await keys('s')
  expect(acted).toEqual([])
  await keys('{ArrowDown}{ArrowDown}s')
  expect(acted).toEqual([['i2']])
  await keys('kxjjxs')
  expect(acted.at(-1)).toEqual(['i1', 'i3'])
})

test('rows of which an act failed stay chosen', async () => {
  await open(4)
  await press(await seen('checkbox', ALL))
  await pressButton('Fail')
  expect(await screen.findByText('2 selected')).toBeDefined()
  expect(screen.getByRole('checkbox', { name: 'Choose i1' })).toHaveProperty('checked', true)
  expect(screen.getByRole('checkbox', { name: 'Choose i2' })).toHaveProperty('checked', false)
})

test('F opens the filters with the focus on the first one, and its letters do not act on rows', async () => {
  const { acted } = await open(2, { filters: [{ key: 'source', label: 'Source' }] })
  await seen('checkbox', ALL)
  await keys('{ArrowDown}f')
  expect(await seen('button', 'Source')).toBeDefined()
  await keys('s')
  expect(acted).toEqual([])
})
