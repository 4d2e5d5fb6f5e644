import { expect, test } from 'bun:test'
import { act, renderPage, screen } from '../../testing/render.tsx'
import { When } from './moment.tsx'

const AT = '2026-11-13T09:30:00.000Z'
const print = (event: 'beforeprint' | 'afterprint') => act(async () => void window.dispatchEvent(new Event(event)))

test('a moment that is told by its age is written with day and time on paper', async () => {
  await renderPage(<When at={AT} as="ago" />)
  expect(screen.getByText('2 days ago')).toBeDefined()
  await print('beforeprint')
  expect(screen.getByText(/^Nov 13, 2026/)).toBeDefined()
  await print('afterprint')
  expect(screen.getByText('2 days ago')).toBeDefined()
})
