import { expect, test } from 'bun:test'
import { opensOn } from './filters.ts'
import { buildViewSearch, openingView, pickViewFilters, type SavedView } from './saved-views.ts'

const FILTERS = opensOn('pending', [
  { key: 'status', label: 'Status' },
  { key: 'createdFrom', until: 'createdTo', label: 'Created', kind: 'days' },
  { key: 'currency', label: 'Currency' },
])
const view = (parts: Partial<SavedView>): SavedView => ({
  id: 'svw_1',
  list: 'deposits',
  name: 'Big ones',
  filters: {},
  look: { hidden: [], order: [], widths: {}, dense: false },
  shared: false,
  isDefault: false,
  ownerId: 'me',
  ownerName: 'Me',
  version: 1,
  createdAt: '2026-11-23T00:00:00.000Z',
  updatedAt: '2026-11-23T00:00:00.000Z',
  ...parts,
})

test('a view keeps filters and order, default ones too, and never the search', () => {
  const search = { q: 'darwish', currency: 'EUR', createdFrom: '7d', sort: 'createdAt', view: 'svw_9', other: 'x' }
  const keeps = ['status', 'createdFrom', 'createdTo', 'currency', 'sort']
  expect(pickViewFilters(search, FILTERS, keeps)).toEqual({
    status: 'pending',
    createdFrom: '7d',
    currency: 'EUR',
    sort: 'createdAt',
  })
})

test('a view keeps no filter that the server does not store for the list', () => {
  const search = { recipient: 'ada@example.com', currency: 'EUR', sort: 'createdAt' }
  const filters = [...FILTERS, { key: 'recipient', label: 'Exact address' }]
  expect(pickViewFilters(search, filters, ['status', 'currency'])).toEqual({ status: 'pending', currency: 'EUR' })
})

test('showing a view replaces every filter of the address', () => {
  expect(buildViewSearch(view({ filters: { currency: 'EUR' } }), FILTERS)).toEqual({
    q: undefined,
    sort: undefined,
    // without it the queue would return with its default state
    status: '*',
    createdFrom: undefined,
    createdTo: undefined,
    currency: 'EUR',
    view: 'svw_1',
  })
})

test('leaving a view shows the list as it is without one', () => {
  const address = buildViewSearch(null, FILTERS)
  expect(address.view).toBe('none')
  expect(Object.entries(address).filter(([key, value]) => key !== 'view' && value !== undefined)).toEqual([])
})

test('a list opens with the reader’s default view before the shared one', () => {
  const shared = view({ id: 'svw_2', shared: true, isDefault: true, ownerId: 'boss' })
  const own = view({ id: 'svw_3', isDefault: true })
  expect(openingView([view({}), shared], 'me')?.id).toBe('svw_2')
  expect(openingView([shared, own], 'me')?.id).toBe('svw_3')
  expect(openingView([view({})], 'me')).toBeUndefined()
})
