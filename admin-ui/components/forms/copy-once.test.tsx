import { expect, mock, test } from 'bun:test'
import { act, keys, press, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { CopyOnce, SecretModal } from './copy-once.tsx'

const SECRET = 'whsec_5f3c'
const open = async () => {
  const onClose = mock(() => undefined)
  const drawn = await renderPage(
    <SecretModal title="New key" onClose={onClose}>
      <CopyOnce secret={SECRET} label="Key" />
    </SecretModal>,
    { at: '/api-keys', route: '/api-keys' },
  )
  await seen('dialog', 'New key')
  return { ...drawn, onClose }
}

test('a secret is shown whole with the note that it is shown once, and is copied as it is', async () => {
  await open()
  expect(screen.getByText(SECRET)).toBeDefined()
  expect(screen.getByText(/cannot be shown again/)).toBeDefined()
  await pressButton('Copy')
  expect(await navigator.clipboard.readText()).toBe(SECRET)
  expect(await seen('button', 'Copied')).toBeDefined()
})

test('a secret is closed only by the reader’s confirmation, not by Esc, a cross or a press beside it', async () => {
  const { onClose } = await open()
  await keys('{Escape}')
  const overlay = document.querySelector('.mantine-Modal-overlay')
  if (overlay) await press(overlay)
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
  await pressButton('I have kept it')
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('a reader who tries to leave an unconfirmed secret stays and is told why', async () => {
  const { router, address } = await open()
  await act(async () => void router.navigate({ to: '/kyc' }))
  expect(await screen.findByText(/^Keep it first: leaving this page/)).toBeDefined()
  expect(address()).toBe('/api-keys')
})

test('a reader without a session may leave an unconfirmed secret', async () => {
  const { router, address } = await open()
  await act(async () => void router.navigate({ to: '/sign-in' }))
  await waitFor(() => expect(address()).toBe('/sign-in'))
})
