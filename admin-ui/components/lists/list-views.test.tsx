import { expect, test } from 'bun:test'
import type { Role } from '../../lib/api/session.ts'
import type { Filter } from '../../lib/lists/filters.ts'
import type { SavedView } from '../../lib/lists/saved-views.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { meAs } from '../../testing/samples.ts'
import { type Column, DataList } from './data-list.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const FILTERS: readonly Filter[] = [
  {
    key: 'status',
    label: 'Status',
    options: [
      { value: 'open', label: 'Open' },
      { value: 'late', label: 'Late' },
    ],
    fallback: 'open',
  },
]
type Item = { id: string; name: string }
const COLUMNS: readonly Column<Item>[] = [{ key: 'name', title: 'Name', render: ({ name }) => name }]
const LOOK = { hidden: [], order: [], widths: {}, dense: false }
const view = (with_: Partial<SavedView> = {}): SavedView => ({
  id: 'viw_1',
  list: 'runs',
  name: 'Late ones',
  filters: { status: 'late' },
  look: LOOK,
  shared: false,
  isDefault: false,
  ownerId: 'usr_me',
  ownerName: 'Elena Rossi',
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const SHARED = view({ id: 'viw_2', name: 'Everybody’s', shared: true, ownerId: 'usr_marco' })

async function draw(views: SavedView[], answers: Answers = {}, at = '/items?status=open', role: Role = 'manager') {
  const asked: unknown[] = []
  const drawn = await renderPage(
    <DataList
      id="runs"
      label="Items"
      columns={COLUMNS}
      filters={FILTERS}
      fetch={async (query) => {
        asked.push(query)
        return { data: [{ id: 'i1', name: 'Item 1' }], nextCursor: null }
      }}
      empty={null}
    />,
    {
      at,
      route: '/items',
      role,
      answers: {
        'auth.me': meAs(role),
        'savedViews.list': { ...buildPage(...views), keeps: ['status', 'sort'] },
        ...answers,
      },
    },
  )
  return { ...drawn, asked }
}
const open = async (...parts: Parameters<typeof draw>) => {
  const drawn = await draw(...parts)
  await screen.findByText('Item 1')
  return drawn
}
const choose = async (item: string | RegExp, of: string | RegExp = 'Views'): Promise<void> => {
  await pressButton(of)
  await press(await seen('menuitem', item))
}
const items = (): string[] => screen.queryAllByRole('menuitem').map(({ textContent }) => textContent ?? '')

test('a list without views says so, and offers to save the first', async () => {
  await open([])
  await pressButton('Views')
  expect(await screen.findByText('No view of this list is saved yet.')).toBeDefined()
  expect(items()).toEqual(['Save as a new view'])
})

test('a view is saved with the current filters, and is shown from then on', async () => {
  const { server, address } = await open([], { 'savedViews.create': view() }, '/items?status=late')
  await choose('Save as a new view')
  await pressButton('Save view')
  expect(await screen.findByText('Give the view a name.')).toBeDefined()
  await fill(await screen.findByLabelText(/^Name of the view/), ' Late ones ')
  await press(await seen('checkbox', /^Open the list with this view/))
  await pressButton('Save view')
  await waitFor(() => expect(server.of('savedViews.create')).toHaveLength(1))
  expect(server.of('savedViews.create')[0]?.body).toEqual({
    list: 'runs',
    name: 'Late ones',
    shared: false,
    isDefault: true,
    filters: { status: 'late' },
    look: LOOK,
  })
  await waitFor(() => expect(address()).toContain('view=viw_1'))
  expect(server.of('savedViews.list').length).toBeGreaterThan(1)
})

test('a chosen view filters the list and is in the address; leaving the view removes it and its filters', async () => {
  const { address, asked } = await open([view(), SHARED])
  await choose(/^Late ones/)
  await waitFor(() => expect(address()).toBe('/items?status=late&view=viw_1'))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ status: 'late' }))
  await choose('Leave this view', 'View: Late ones')
  await waitFor(() => expect(address()).toBe('/items?view=none'))
})

test.each([
  ['one’s own first view', [view({ isDefault: true }), { ...SHARED, isDefault: true, filters: {} }], 'viw_1'],
  ['a shared first view', [view(), { ...SHARED, isDefault: true }], 'viw_2'],
] as const)('an address without parameters opens with %s', async (_, views, id) => {
  const { address, asked } = await open([...views], {}, '/items')
  await waitFor(() => expect(address()).toContain(`view=${id}`))
  expect(asked).toHaveLength(2)
})

test('rows are read together with the views, and shown when it is known which view opens', async () => {
  const known = Promise.withResolvers<void>()
  const views = { ...buildPage(SHARED), keeps: ['status', 'sort'] }
  const { asked } = await draw([], { 'savedViews.list': () => known.promise.then(() => views) }, '/items')
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(screen.queryByText('Item 1')).toBeNull()
  known.resolve()
  expect(await screen.findByText('Item 1')).toBeDefined()
  expect(asked).toHaveLength(1)
})

test('a view with changed filters is saved only if nobody changed it meanwhile', async () => {
  const { server } = await open(
    [view({ filters: { status: 'open' } })],
    { 'savedViews.update': view() },
    '/items?status=late&view=viw_1',
  )
  expect((await seen('button', 'View: Late ones')).textContent).toBe('Late ones *')
  await choose('Save changes to “Late ones”', 'View: Late ones')
  await waitFor(() => expect(server.of('savedViews.update')).toHaveLength(1))
  expect(server.of('savedViews.update')[0]).toMatchObject({
    params: { id: 'viw_1' },
    body: { filters: { status: 'late' }, look: LOOK },
    ifMatch: '"3"',
  })
  expect(await screen.findByText('The view “Late ones” is saved.')).toBeDefined()
})

test('Undo gives a saved view its former filters back over the version that was saved', async () => {
  const { server } = await open(
    [view({ filters: { status: 'open' } })],
    { 'savedViews.update': view({ filters: { status: 'late' }, version: 4 }) },
    '/items?status=late&view=viw_1',
  )
  await choose('Save changes to “Late ones”', 'View: Late ones')
  await screen.findByText('The view “Late ones” is saved.')
  await press(await seen('button', 'Undo'))
  await waitFor(() => expect(server.of('savedViews.update')).toHaveLength(2))
  expect(server.of('savedViews.update')[1]).toMatchObject({ body: { filters: { status: 'open' } }, ifMatch: '"4"' })
})

test.each([
  [
    'a colleague’s change',
    () => refusal(412, 'version_mismatch', 'A colleague changed it.'),
    'A colleague changed it.',
  ],
  ['a broken connection', noAnswer, /No answer came/],
] as const)('a view that cannot be saved because of %s reports it in place of the menu', async (_, answer, words) => {
  await open([view({ filters: {} })], { 'savedViews.update': answer }, '/items?status=late&view=viw_1')
  await choose('Save changes to “Late ones”', 'View: Late ones')
  expect(await screen.findByText(words)).toBeDefined()
})

test('a view is renamed and shared', async () => {
  const { server } = await open([view()], { 'savedViews.update': view() }, '/items?status=late&view=viw_1')
  await choose('Rename or share this view', 'View: Late ones')
  await fill(await screen.findByLabelText(/^Name of the view/), 'Late')
  await press(await seen('checkbox', /^Share it with everybody/))
  await pressButton('Save view')
  await waitFor(() => expect(server.of('savedViews.update')).toHaveLength(1))
  expect(server.of('savedViews.update')[0]).toMatchObject({
    body: { name: 'Late', shared: true, isDefault: false },
    ifMatch: '"3"',
  })
})

test('a view is removed after a question, and the list goes on without a view', async () => {
  const { server, address } = await open(
    [view()],
    { 'savedViews.delete': Response.json({}) },
    '/items?status=late&view=viw_1',
  )
  await choose('Remove this view', 'View: Late ones')
  expect((await seen('dialog', 'Remove the view “Late ones”?')).textContent).toContain('Only the view goes')
  await pressButton('Remove this view')
  await waitFor(() =>
    expect(server.of('savedViews.delete')[0]).toMatchObject({ params: { id: 'viw_1' }, ifMatch: '"3"' }),
  )
  await waitFor(() => expect(address()).toBe('/items?view=none'))
})

test('a shared view can be changed by managers only', async () => {
  await open([SHARED], {}, '/items?status=open&view=viw_2', 'operator')
  await pressButton('View: Everybody’s')
  await seen('menuitem', 'Leave this view')
  expect(items()).toEqual(['Everybody’s', 'Leave this view', 'Save as a new view'])
})

test('only a manager can share a view', async () => {
  await open([], {}, '/items?status=open', 'operator')
  await choose('Save as a new view')
  await screen.findByLabelText(/^Name of the view/)
  expect(screen.getAllByRole('checkbox')).toHaveLength(1)
})
