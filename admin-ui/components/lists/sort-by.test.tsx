import { expect, test } from 'bun:test'
import { PHONE } from '../../testing/dom.ts'
import { press, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import type { Column } from './data-list.tsx'
import { DataList } from './data-list.tsx'

type Item = { id: string; name: string }
const COLUMNS: readonly Column<Item>[] = [
  { key: 'name', title: 'Name', sort: 'name', upFirst: true, render: ({ name }) => name },
  { key: 'amount', title: 'Amount', sort: 'amount', wide: true, render: () => '1.00' },
  { key: 'note', title: 'Note', render: () => 'a note' },
  { key: 'since', title: 'Since', sort: 'createdAt', optional: true, render: () => 'today' },
]

async function renderList(at: string, width?: number) {
  const asked: unknown[] = []
  const drawn = await renderPage(
    <DataList
      id="runs"
      label="Items"
      columns={COLUMNS}
      fetch={async ({ sort }) => {
        asked.push(sort)
        return { data: [{ id: 'i1', name: 'Item 1' }], nextCursor: null }
      }}
      empty={null}
    />,
    { at, route: '/items', ...(width !== undefined && { width }) },
  )
  await screen.findByText('Item 1')
  return { ...drawn, asked }
}
const isChecked = async (name: string): Promise<string | null> =>
  (await seen('menuitemradio', name)).getAttribute('aria-checked')

test('a phone sorts its cards by any column that sorts, shown or not, in both directions', async () => {
  const { address, asked } = await renderList('/items', PHONE)
  await pressButton('Sort by: Since, descending')
  expect(await isChecked('Since')).toBe('true')
  expect(screen.queryByRole('menuitemradio', { name: 'Note' })).toBeNull()
  await press(await seen('menuitemradio', 'Name'))
  await waitFor(() => expect(address()).toBe('/items?sort=name'))
  await press(await seen('menuitemradio', 'Descending'))
  await waitFor(() => expect(asked).toEqual([undefined, 'name', '-name']))
})

test('a phone says why a list of several currencies is not sorted by amount', async () => {
  await renderList('/items', PHONE)
  await pressButton('Sort by: Since, descending')
  const amount = await seen('menuitemradio', /^Amount/)
  expect(amount).toHaveProperty('disabled', true)
  expect(amount.textContent).toContain('Choose one currency')
})

test('a list of one currency is sorted by amount on a phone; a table has its heads instead', async () => {
  const { address } = await renderList('/items?currency=EUR', PHONE)
  await pressButton('Sort by: Since, descending')
  await press(await seen('menuitemradio', 'Amount'))
  await waitFor(() => expect(address()).toBe('/items?currency=EUR&sort=-amount'))
})

test('a table has no control for its order besides its heads', async () => {
  await renderList('/items')
  expect(screen.queryByRole('button', { name: /^Sort by/ })).toBeNull()
})
