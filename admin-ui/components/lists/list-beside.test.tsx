import { expect, test } from 'bun:test'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { useDecided } from '../../lib/forms/use-decided.ts'
import { PHONE } from '../../testing/dom.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../testing/render.tsx'
import { FormDrawer, FormModal, PageForm } from '../forms/form-modal.tsx'
import { RecordDrawer } from '../page/record-drawer.tsx'
import { RecordPage } from '../page/record-page.tsx'
import { DataList, type DataListProps } from './data-list.tsx'

type Item = { id: string; name: string }
const items = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({ id: `i${at + 1}`, name: `Item ${at + 1}` }))

/** Draws a list of these rows in pages of three. */
const open = (rows: Item[], more: Partial<DataListProps<Item>>, width?: number) =>
  renderPage(
    <DataList
      id="runs"
      label="Items"
      columns={[{ key: 'name', title: 'Name', render: ({ name }) => name }]}
      fetch={async ({ cursor }) => {
        const from = Number(cursor || 0)
        const next = from + 3 < rows.length ? String(from + 3) : null
        return { data: rows.slice(from, from + 3), nextCursor: next, total: rows.length }
      }}
      counted="count"
      empty={null}
      {...more}
    />,
    { at: '/items', route: '/items', ...(width && { width }) },
  )

const Plain = ({ item, onClose }: { item: Item; onClose: () => void }) => (
  <RecordDrawer opened onClose={onClose} title={item.name}>
    <p>about {item.name}</p>
  </RecordDrawer>
)
const plain = (item: Item, onClose: () => void) => <Plain item={item} onClose={onClose} />

test('a drawer has the place of its row, and J, K and the buttons open the neighbours', async () => {
  await open(items(3), { beside: plain })
  await pressButton('Item 1')
  const first = within(await seen('dialog', 'Item 1'))
  expect(first.getByText('1 of 3')).toBeDefined()
  expect(first.getByRole('button', { name: 'The one before (K)' }).getAttribute('aria-disabled')).toBe('true')
  await pressButton('The next one (J)')
  expect(await screen.findByText('2 of 3')).toBeDefined()
  // the pressed button keeps the focus, so that it can be pressed again
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('The next one (J)'))
  await keys('j')
  expect(await screen.findByText('about Item 3')).toBeDefined()
  expect(await seen('button', 'This is the last one')).toBeDefined()
  await keys('jk')
  expect(await screen.findByText('about Item 2')).toBeDefined()
})

test('the only row of a list has no neighbours to offer', async () => {
  await open(items(1), { beside: plain })
  await pressButton('Item 1')
  expect(await screen.findByText('about Item 1')).toBeDefined()
  expect(screen.queryByText('1 of 1')).toBeNull()
})

test('a drawer reads the next rows of the list when it comes near the end of those that were read', async () => {
  await open(items(5), { beside: plain })
  await pressButton('Item 1')
  expect(await screen.findByText('1 of 5')).toBeDefined()
  for (const at of [2, 3, 4, 5]) {
    await waitFor(async () => {
      expect((await seen('button', 'The next one (J)')).getAttribute('aria-disabled')).toBeNull()
    })
    await keys('j')
    expect(await screen.findByText(`${at} of 5`)).toBeDefined()
  }
  expect(await screen.findByText('about Item 5')).toBeDefined()
})

test('the row that a drawer showed last has the mark of the list', async () => {
  await open(items(3), { beside: plain })
  await pressButton('Item 1')
  await screen.findByText('about Item 1')
  await keys('j')
  await screen.findByText('about Item 2')
  await keys('{Escape}')
  await waitFor(() => expect(screen.queryByText('about Item 2')).toBeNull())
  expect((await seen('row', /Item 2/)).dataset.current).toBe('true')
})

const EditItem = ({ item, onClose }: { item: Item; onClose: () => void }) => {
  const state = useApiForm({ initialValues: { note: '' }, submit: async () => item, onDone: onClose })
  return (
    <FormDrawer state={state} title={`Edit ${item.name}`} submitLabel="Save" opened onClose={onClose}>
      <input aria-label="Note" {...state.form.getInputProps('note')} />
    </FormDrawer>
  )
}

test('a form in a drawer asks before the next row replaces its typed text, and moves on after “Discard”', async () => {
  await open(items(3), { beside: (item, close) => <EditItem item={item} onClose={close} /> })
  await pressButton('Item 1')
  await fill(await screen.findByLabelText('Note'), 'typed')
  await pressButton('The next one (J)')
  await pressButton('Keep editing')
  expect(await screen.findByLabelText('Note')).toHaveProperty('value', 'typed')
  await pressButton('The next one (J)')
  await pressButton('Discard')
  expect(await seen('dialog', 'Edit Item 2')).toBeDefined()
  expect(await screen.findByLabelText('Note')).toHaveProperty('value', '')
  await pressButton('The next one (J)')
  expect(await seen('dialog', 'Edit Item 3')).toBeDefined()
})

const Decidable = ({ item, onClose, decide }: { item: Item; onClose: () => void; decide: () => void }) => {
  const [asked, setAsked] = useState(false)
  const { done } = useDecided('deposits', onClose)
  const state = useApiForm({
    initialValues: { reason: '' },
    submit: async () => decide(),
    onDone: () => done(`decided ${item.name}`),
  })
  return (
    <RecordDrawer opened onClose={onClose} title={item.name}>
      <Button onClick={() => setAsked(true)}>Decide</Button>
      {asked && (
        <FormModal state={state} title="Why" submitLabel="Send" opened onClose={() => setAsked(false)}>
          <input aria-label="Reason" {...state.form.getInputProps('reason')} />
        </FormModal>
      )}
    </RecordDrawer>
  )
}

test('a decision in a drawer opens the next row without a dialog; after the last row the drawer closes', async () => {
  const rows = items(2)
  const { client } = await open(rows, {
    beside: (item, close) => <Decidable item={item} onClose={close} decide={() => void rows.shift()} />,
  })
  await pressButton('Item 1')
  await pressButton('Decide')
  await fill(await screen.findByLabelText('Reason'), 'fine')
  await pressButton('Send')
  expect(await screen.findByText('decided Item 1')).toBeDefined()
  expect(await seen('dialog', 'Item 2')).toBeDefined()
  expect(screen.queryByRole('dialog', { name: 'Why' })).toBeNull()
  await client.invalidateQueries({ queryKey: ['runs'] })
  await pressButton('Decide')
  await pressButton('Send')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('J and K do nothing while a dialog is open over a drawer', async () => {
  await open(items(3), { beside: (item, close) => <Decidable item={item} onClose={close} decide={() => undefined} /> })
  await pressButton('Item 1')
  await pressButton('Decide')
  const dialog = await seen('dialog', 'Why')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  const inside = within(dialog).getByRole('button', { name: 'Cancel' })
  inside.focus()
  await keys('j')
  expect(await seen('dialog', 'Item 1')).toBeDefined()
})

const Reply = () => {
  const state = { ...useApiForm({ initialValues: { reply: '' }, submit: async () => null }), reload: () => undefined }
  return (
    <PageForm state={state} submitLabel="Reply">
      <input aria-label="Reply" {...state.form.getInputProps('reply')} />
    </PageForm>
  )
}
const peek = ({ id, name }: Item) => (
  <RecordPage title={name} back={{ to: '/items', label: 'Items' }}>
    <p>page of {id}</p>
    <Reply />
  </RecordPage>
)
const PAGES = { peek, href: ({ id }: Item) => `/items/${id}` }

test('P shows the marked row beside the list, with its neighbours and a link to its page', async () => {
  const { address } = await open(items(3), PAGES)
  await seen('row', /Item 1/)
  await keys('{ArrowDown}p')
  const drawer = within(await seen('dialog', 'Items'))
  expect(await drawer.findByText('page of i1')).toBeDefined()
  expect(drawer.getByRole('link', { name: 'Open the whole page' }).getAttribute('href')).toBe('/admin/items/i1')
  expect(drawer.queryByRole('link', { name: 'Items' })).toBeNull()
  await keys('j')
  expect(await screen.findByText('page of i2')).toBeDefined()
  expect(address()).toBe('/items')
})

test('Space shows the marked row too, where rows cannot be chosen', async () => {
  await open(items(2), PAGES)
  await seen('row', /Item 1/)
  await keys('{ArrowDown} ')
  expect(await screen.findByText('page of i1')).toBeDefined()
})

test('Space chooses the marked row where rows can be chosen', async () => {
  await open(items(2), { ...PAGES, acts: [], rowName: ({ name }) => name })
  await seen('row', /Item 1/)
  await keys('{ArrowDown} ')
  const [box] = within(await seen('row', /Item 1/)).getAllByRole('checkbox')
  expect(box).toHaveProperty('checked', true)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Enter opens the page of a row even if P can show the row beside the list', async () => {
  const { address } = await open(items(2), PAGES)
  await seen('row', /Item 1/)
  await keys('{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe('/items/i1'))
})

test('the button of a row shows it beside the list, and closing asks before a typed reply is lost', async () => {
  await open(items(2), PAGES)
  const row = within(await seen('row', /Item 2/))
  await press(row.getByRole('button', { name: 'Show beside the list (P)' }))
  await fill(await screen.findByLabelText('Reply'), 'typed')
  await press(within(await seen('dialog', 'Items')).getByRole('button', { name: 'Close' }))
  await pressButton('Keep editing')
  await pressButton('The one before (K)')
  await pressButton('Discard')
  expect(await screen.findByText('page of i1')).toBeDefined()
})

test('a phone has no button that shows a row beside the list, and rows open on their pages', async () => {
  await open(items(2), PAGES, PHONE)
  await screen.findByText('Item 1')
  expect(screen.queryByRole('button', { name: 'Show beside the list (P)' })).toBeNull()
})
