import { expect, test } from 'bun:test'
import { keys, renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { useGoKeys } from './use-go-keys.ts'

const Page = () => {
  useGoKeys()
  return <input aria-label="Note" />
}

test.each([
  ['gc', '/traders'],
  ['gd', '/deposits'],
  ['ggw', '/'],
  ['gxw', '/'],
  ['c', '/'],
])('the keys %s lead to %s', async (typed, to) => {
  const { address } = await renderPage(<Page />)
  await keys(typed)
  await waitFor(() => expect(address()).toBe(to))
})

test('letters typed into a field lead nowhere', async () => {
  const { address } = await renderPage(<Page />)
  screen.getByLabelText('Note').focus()
  await keys('gc')
  expect(address()).toBe('/')
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'gc')
})
