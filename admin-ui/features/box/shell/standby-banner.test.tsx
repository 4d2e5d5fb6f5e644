import { afterEach, expect, test } from 'bun:test'
import { noteStandby, useStandby } from '../../../lib/api/standby.ts'
import { act, renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { StandbyBanner } from './standby-banner.tsx'

const Probe = () => {
  const standby = useStandby()
  return standby ? <StandbyBanner standby={standby} /> : <p>writes</p>
}
const answer = (headers: Record<string, string>): Promise<void> => act(async () => noteStandby(new Headers(headers)))
afterEach(() => noteStandby(new Headers()))

test('a banner tells of when a standby’s copy is and where changes are made, until another server answers', async () => {
  await renderPage(<Probe />)
  expect(screen.getByText('writes')).toBeDefined()
  await answer({ 'x-crm-role': 'standby', 'x-crm-age': '3', 'x-crm-primary': 'https://a.test' })
  await waitFor(() => expect(screen.getByRole('region', { name: 'Standby' }).textContent).toContain('as of'))
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://a.test/admin/')
  await answer({})
  expect(screen.getByText('writes')).toBeDefined()
})

test('an address that is no web address is not a link', async () => {
  await renderPage(<Probe />)
  await answer({ 'x-crm-role': 'standby', 'x-crm-age': '3', 'x-crm-primary': 'javascript:alert(1)' })
  expect(screen.queryByRole('link')).toBeNull()
})
