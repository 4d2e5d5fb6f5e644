import { expect, test } from 'bun:test'
import type { Query } from '../../api.ts'
import { pressButton, renderPage, screen, waitFor } from '../../testing/render.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { DataList } from './data-list.tsx'

const FILTERS = [
  {
    key: 'status',
    label: 'Status',
    options: [
      { value: 'pending', label: 'Pending' },
      { value: 'settled', label: 'Settled' },
    ],
    fallback: 'pending',
  },
] as const

/** Draws a list that opens on pending rows and has none; `others` says whether it has rows of another status. */
async function renderQueue(others: boolean, at = '/items', isWorded = true) {
  const asked: Query[] = []
  const drawn = await renderPage(
    <DataList
      id="runs"
      label="Items"
      columns={[{ key: 'id', title: 'Id', render: ({ id }: { id: string }) => id }]}
      filters={FILTERS}
      fetch={async (query) => {
        asked.push(query)
        return { data: others && query.status === undefined ? [{ id: 'i1' }] : [], nextCursor: null }
      }}
      empty={<EmptyState title="No items yet" />}
      {...(isWorded && { nothingWaits: <EmptyState title="Nothing is waiting" /> })}
    />,
    { at, route: '/items' },
  )
  return { ...drawn, asked }
}

test('an empty list of a new firm says that there is nothing yet, although it opens on a status', async () => {
  const { asked } = await renderQueue(false)
  expect(await screen.findByText('No items yet')).toBeDefined()
  expect(asked.map(({ status, limit }) => [status, limit])).toEqual([
    ['pending', 50],
    [undefined, 1],
  ])
})

test('an empty list whose rows have another status than the usual one says that nothing waits', async () => {
  await renderQueue(true)
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
  expect(screen.queryByText('No items yet')).toBeNull()
})

test('a list without words of its own for that offers to clear the filter on which it opens', async () => {
  const { address } = await renderQueue(true, '/items', false)
  await pressButton('Clear search and filters')
  await waitFor(() => expect(address()).toBe('/items?status=*'))
  expect(await screen.findByText('i1')).toBeDefined()
})

test('a list that the reader narrowed offers to clear the filters, and asks for nothing else', async () => {
  const { asked } = await renderQueue(true, '/items?status=settled')
  expect(await screen.findByText('Nothing matches')).toBeDefined()
  expect(asked).toHaveLength(1)
})
