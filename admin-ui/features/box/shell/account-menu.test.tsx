import { expect, mock, test } from 'bun:test'
import { press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { AccountMenu } from './account-menu.tsx'

const open = async (showKeys: () => void = () => undefined) => {
  const drawn = await renderPage(<AccountMenu me={meAs('manager')} showKeys={showKeys} />, {
    answers: { 'auth.logout': new Response(null, { status: 204 }) },
  })
  await pressButton(/Elena Rossi/)
  return drawn
}

test('the account menu shows the signed-in user’s name, role and address', async () => {
  await open()
  expect((await seen('button', /Elena Rossi/)).textContent).toBe('ERElena RossiManager')
  expect(await screen.findByText('elena@meridian.example')).toBeDefined()
})

test('the account menu links to the user’s sessions, and to the API explorer in another tab', async () => {
  await open()
  expect((await seen('menuitem', 'Security and sessions')).getAttribute('href')).toBe('/admin/security')
  const docs = await seen('menuitem', 'API explorer')
  expect([docs.getAttribute('href'), docs.getAttribute('target')]).toEqual(['/docs', '_blank'])
})

test('the account menu opens the help with the keys of the console', async () => {
  const showKeys = mock(() => undefined)
  await open(showKeys)
  await press(await seen('menuitem', 'Help and keys'))
  expect(showKeys).toHaveBeenCalledTimes(1)
})

test('the chosen colour scheme is applied', async () => {
  await open()
  await press(await seen('radio', 'Dark'))
  await waitFor(() => expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark'))
  await press(await seen('radio', 'Light'))
  await waitFor(() => expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('light'))
})

test('signing out is sent to the server', async () => {
  const { server } = await open()
  await press(await seen('menuitem', 'Sign out'))
  await waitFor(() => expect(server.of('auth.logout')).toHaveLength(1))
})
