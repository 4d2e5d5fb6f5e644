import { expect, mock, test } from 'bun:test'
import { beginQueue } from '../../lib/lists/queue.ts'
import { readRecent } from '../../lib/screen/recent-records.ts'
import { keys, press, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { Facts, RecordPage } from './record-page.tsx'

const open = (at = '/deposits/dep_2') =>
  renderPage(
    <RecordPage title="1,500.00 EUR" back={{ to: '/deposits', label: 'Deposits' }}>
      <p>the record</p>
    </RecordPage>,
    { at, route: '/deposits/$id' },
  )
const queue = (list = '/deposits?status=pending', total: number | null = 24): void =>
  beginQueue({ list, total, hrefs: ['/deposits/dep_1', '/deposits/dep_2', '/deposits/dep_3'] })

test('a record that was opened from elsewhere links to the whole list, and has no neighbours', async () => {
  await open()
  expect((await seen('link', 'Deposits')).getAttribute('href')).toBe('/admin/deposits')
  expect(screen.queryByRole('button', { name: /next/i })).toBeNull()
})

test('a record of a queue links back to the filtered queue, and shows its place', async () => {
  queue()
  await open()
  expect((await seen('link', 'Deposits')).getAttribute('href')).toBe('/admin/deposits?status=pending')
  expect(await screen.findByText('2 of 24')).toBeDefined()
})

test('the link back ignores the queue of another list', async () => {
  queue('/traders?q=ana')
  await open()
  expect((await seen('link', 'Deposits')).getAttribute('href')).toBe('/admin/deposits')
})

test('J and K replace a record by its neighbour, and stop at the ends of the list', async () => {
  queue()
  const { address, router } = await open()
  await screen.findByText('2 of 24')
  const before = router.history.length
  await keys('j')
  await waitFor(() => expect(address()).toBe('/deposits/dep_3'))
  expect(await screen.findByText('3 of 24')).toBeDefined()
  await keys('j')
  await keys('kk')
  await waitFor(() => expect(address()).toBe('/deposits/dep_1'))
  expect(router.history.length).toBe(before)
})

test('the palette offers an opened record again, by its name and list', async () => {
  localStorage.clear()
  await open()
  await waitFor(() =>
    expect(readRecent('usr_me')).toMatchObject([{ to: '/deposits/dep_2', label: '1,500.00 EUR', list: 'Deposits' }]),
  )
})

test('a fact without a value is a dash, and one that does not apply is absent', async () => {
  const edit = mock(() => <p>form</p>)
  await renderPage(
    <Facts
      items={[
        ['Phone', null, { copy: null, edit }],
        ['City', '', {}],
        ['Fax', undefined],
        ['E-mail', 'a@b.eu', { copy: 'a@b.eu' }],
      ]}
    />,
  )
  expect((await screen.findAllByRole('term')).map(({ textContent }) => textContent)).toEqual([
    'Phone',
    'City',
    'E-mail',
  ])
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['—', '—', 'a@b.eu'])
  expect(screen.queryByRole('button', { name: 'Copy: Phone' })).toBeNull()
  await press(await seen('button', 'Change: Phone'))
  expect(screen.getAllByRole('definition')[0]?.textContent).toBe('form')
})

test('copying a fact copies its value, not its printed form', async () => {
  await renderPage(<Facts items={[['Amount', '1,500.00 EUR', { copy: '1500.00' }]]} />)
  await press(await seen('button', 'Copy: Amount'))
  expect(await navigator.clipboard.readText()).toBe('1500.00')
})
