import { expect, test } from 'bun:test'
import type { Filter } from '../../lib/lists/filters.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { FilterChips } from './filter-chips.tsx'

const many = Array.from({ length: 12 }, (_, at) => ({ value: `c${at}`, label: `Country ${at}` }))
const FILTERS: readonly Filter[] = [
  {
    key: 'status',
    label: 'Status',
    several: true,
    options: [
      { value: 'pending', label: 'Pending' },
      { value: 'settled', label: 'Settled' },
    ],
  },
  {
    key: 'method',
    label: 'Method',
    options: [
      { value: 'bank', label: 'Bank' },
      { value: 'card', label: 'Card' },
    ],
  },
  { key: 'country', label: 'Country', options: many, several: true },
  { key: 'from', until: 'to', label: 'Announced', kind: 'days' },
  { key: 'min', until: 'max', label: 'Amount', kind: 'amount' },
  { key: 'reference', label: 'Reference' },
]
const chips = (at = '/list') => renderPage(<FilterChips filters={FILTERS} />, { at, route: '/list' })
/** Adds the filter of that name and leaves its editor open. */
const add = async (label: string): Promise<void> => {
  await pressButton('Add a filter')
  await pressButton(label)
}

test.each([
  ['status=pending,settled', 'Status: Pending, Settled'],
  ['method=card', 'Method: Card'],
  ['from=today', 'Announced: Today'],
  ['from=2026-11-02&to=2026-11-21', 'Announced: Nov 2, 2026 – Nov 21, 2026'],
  ['to=2026-11-21', 'Announced: until Nov 21, 2026'],
  ['min=10000', 'Amount: at least 10,000'],
  ['min=500&max=10000', 'Amount: 500 – 10,000'],
  ['reference=WIRE-1', 'Reference: WIRE-1'],
])('the filters of the address %s are shown above the list as “%s”', async (search, words) => {
  await chips(`/list?${search}`)
  expect(await screen.findByText(words)).toBeDefined()
})

test('several states are ticked one after another, and the list follows each', async () => {
  const { address } = await chips()
  await add('Status')
  await press(await seen('checkbox', 'Pending'))
  await waitFor(() => expect(address()).toBe('/list?status=pending'))
  await press(await seen('checkbox', 'Settled'))
  await waitFor(() => expect(address()).toBe('/list?status=pending%2Csettled'))
  await press(await seen('checkbox', 'Pending'))
  await press(await seen('checkbox', 'Settled'))
  await waitFor(() => expect(address()).toBe('/list'))
})

test('a filter of one choice closes at once', async () => {
  const { address } = await chips()
  await add('Method')
  await press(await seen('radio', 'Card'))
  await waitFor(() => expect(address()).toBe('/list?method=card'))
  expect(screen.queryByRole('radio')).toBeNull()
})

test('Enter takes the first option that matches the typed text', async () => {
  const { address } = await chips()
  await add('Country')
  await fill(await seen('textbox', 'Country'), 'try 11')
  expect(screen.getAllByRole('checkbox')).toHaveLength(1)
  await keys('{Enter}')
  await waitFor(() => expect(address()).toBe('/list?country=c11'))
})

test('Enter with text that matches no option changes nothing', async () => {
  const { address } = await chips()
  await add('Country')
  await fill(await seen('textbox', 'Country'), 'nowhere{Enter}')
  expect(address()).toBe('/list')
})

test('a typed text filters the list at once with Enter', async () => {
  const { address } = await chips()
  await add('Reference')
  await fill(await seen('textbox', 'Reference'), ' WIRE-9 {Enter}')
  await waitFor(() => expect(address()).toBe('/list?reference=WIRE-9'))
})

test('a relative period replaces both typed days', async () => {
  const { address } = await chips('/list?from=2026-11-02&to=2026-11-21')
  await pressButton('Change the filter Announced: Nov 2, 2026 – Nov 21, 2026')
  await pressButton('7 days')
  await waitFor(() => expect(address()).toBe('/list?from=7d'))
})

test('the cross of a period removes both its days and no other filter', async () => {
  const { address } = await chips('/list?method=card&min=5&max=9')
  await pressButton('Clear the filter Amount')
  await waitFor(() => expect(address()).toBe('/list?method=card'))
})

test('the arrow keys move through the filters on offer, and Enter chooses one', async () => {
  await chips()
  await pressButton('Add a filter')
  const field = await seen('textbox', 'Find a filter')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await keys('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}')
  expect(document.activeElement?.textContent).toBe('Method')
  await keys('{ArrowUp}{ArrowUp}')
  expect(document.activeElement?.textContent).toBe('Reference')
  await keys('{Enter}')
  expect(await seen('textbox', 'Reference')).toBeDefined()
})

test('Enter takes the first filter whose name has the typed text, and none if none has it', async () => {
  const { address } = await chips()
  await pressButton('Add a filter')
  await fill(await seen('textbox', 'Find a filter'), 'nothing{Enter}')
  await fill(await seen('textbox', 'Find a filter'), 'coun{Enter}')
  expect(await seen('textbox', 'Country')).toBeDefined()
  expect(address()).toBe('/list')
})

test('a filter that is set is no longer offered', async () => {
  await chips('/list?method=card')
  await pressButton('Add a filter')
  expect(await seen('button', 'Status')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Method' })).toBeNull()
})

test.each([
  ['Country', 'textbox', 'Country'],
  ['Status', 'checkbox', 'Pending'],
  ['Method', 'radio', 'Bank'],
  ['Announced', 'button', 'Today'],
  ['Reference', 'textbox', 'Reference'],
])('the focus goes from the chosen filter %s into its editor', async (label, role, name) => {
  await chips()
  await add(label)
  const field = await seen(role, name)
  await waitFor(() => expect(document.activeElement).toBe(field))
})
