import { expect, mock, spyOn, test } from 'bun:test'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { press, pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { colleague, meAs } from '../../../testing/samples.ts'
import { AccountMenu } from './account-menu.tsx'

const open = async (showKeys: () => void = () => undefined, rename: Answers['auth.rename'] = colleague()) => {
  const drawn = await renderPage(<AccountMenu me={meAs('manager')} showKeys={showKeys} />, {
    answers: { 'auth.logout': new Response(null, { status: 204 }), 'auth.rename': rename },
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

test('another language is stored with the user, and the page is loaded again in it', async () => {
  const reload = spyOn(location, 'reload').mockImplementation(() => undefined)
  const { server } = await open()
  await press(await seen('radio', 'Deutsch'))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(server.of('auth.rename').map(({ body }) => body)).toEqual([{ locale: 'de' }])
  expect(localStorage.getItem('language')).toBe('de')
  localStorage.removeItem('language')
  reload.mockRestore()
})

test('a language that could not be stored leaves the page as it is, and says why', async () => {
  const reload = spyOn(location, 'reload').mockImplementation(() => undefined)
  await open(undefined, refusal(503, 'standby', 'This server changes nothing.'))
  await press(await seen('radio', 'Deutsch'))
  expect(await screen.findByText('This server changes nothing.')).toBeDefined()
  expect([reload.mock.calls, localStorage.getItem('language')]).toEqual([[], null])
  reload.mockRestore()
})
