import { expect, test } from 'bun:test'
import { renderPage, screen, within } from '../../testing/render.tsx'
import { dayHeading, Timeline, type TimelineLine } from './timeline.tsx'

const line = (with_: Partial<TimelineLine> = {}): TimelineLine => ({
  id: 'a',
  at: '2026-01-05T14:30:00.000Z',
  icon: null,
  kind: 'Deposit',
  parts: ['', ' settled'],
  record: { label: 'Deposit of 5 EUR', to: '/deposits/dep_1' },
  who: 'Ingrid',
  note: null,
  changes: [],
  ...with_,
})

test.each([
  ['2026-03-30T12:00:00.000Z', 'Today'],
  ['2026-03-29T12:00:00.000Z', 'Yesterday'],
  ['2026-03-28T12:00:00.000Z', 'Mar 28, 2026'],
  ['2026-03-31T12:00:00.000Z', 'Mar 31, 2026'],
])('a timeline shows the moment %s under the heading “%s”', (at, heading) => {
  expect(dayHeading(at, Date.parse('2026-03-30T13:00:00.000Z'))).toBe(heading)
})

test('timeline entries are grouped by day and keep their order', async () => {
  await renderPage(
    <Timeline
      lines={[
        line(),
        line({ id: 'b', at: '2026-01-05T09:00:00.000Z' }),
        line({ id: 'c', at: '2026-01-04T09:00:00.000Z' }),
      ]}
    />,
  )
  const days = (await screen.findAllByRole('heading')).map((heading) => [
    heading.textContent,
    within(heading.closest('section') ?? heading).getAllByRole('listitem').length,
  ])
  expect(days).toEqual([
    ['Jan 5, 2026', 2],
    ['Jan 4, 2026', 1],
  ])
})

test('the sentence of a timeline links to its record, or only names a record without a page', async () => {
  await renderPage(
    <Timeline
      lines={[
        line({ parts: ['Saw ', ' today'] }),
        line({ id: 'b', record: { label: 'Account 7', to: null }, parts: ['', ' added'] }),
        line({ id: 'c', parts: ['Client changed'], changes: ['Risk: low → high', 'Phone changed'], note: 'By phone' }),
      ]}
    />,
  )
  const [first, second, third] = await screen.findAllByRole('listitem')
  expect(first?.textContent).toStartWith('Saw Deposit of 5 EUR today · Ingrid')
  expect(second?.textContent).toStartWith('Account 7 added · Ingrid')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/admin/deposits/dep_1'])
  expect(third?.textContent).toContain('Risk: low → highPhone changedBy phone')
  expect(within(third ?? document.body).getByRole('img', { name: 'Deposit' })).toBeDefined()
})
