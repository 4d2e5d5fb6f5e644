import { expect, test } from 'bun:test'
import { call } from '../../../api.ts'
import { hearTabs, tellTabs } from '../../../lib/api/signed-in.ts'
import { act, keys, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { deposit, meAs } from '../../../testing/samples.ts'
import { OtherPerson } from './other-session.tsx'

const open = () =>
  renderPage(<OtherPerson me={meAs('manager')} />, {
    answers: { 'auth.me': meAs('manager'), 'deposits.cancel': deposit({ status: 'cancelled' }) },
  })
const cancel = (): Promise<unknown> => call('deposits.cancel', { params: { id: 'dep_1' }, ifMatch: 3 })
/** Reports from another tab who is signed in there, and waits until the tabs that were open before have heard it. */
const tell = (person: Parameters<typeof tellTabs>[0]): Promise<void> =>
  act(async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const close = hearTabs(resolve)
    tellTabs(person)
    await promise
    close()
  })

test('a page is covered and sends no change once another user is signed in', async () => {
  const { server } = await open()
  await tell({ id: 'usr_marco', displayName: 'Marco Bianchi' })
  expect(await seen('dialog', 'You are now signed in as Marco Bianchi in this browser')).toBeDefined()
  await keys('{Escape}')
  expect(screen.getByRole('dialog')).toBeDefined()
  expect(await cancel().catch((error: Error) => error.message)).toStartWith('Somebody else')
  expect(server.of('deposits.cancel')).toEqual([])
})

test('a page is not covered when its own user signs in again', async () => {
  await open()
  await tell({ id: 'usr_me', displayName: 'Elena Rossi' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await cancel()
})

test('changes are sent again once the other user has signed out', async () => {
  const { server } = await open()
  await tell({ id: 'usr_marco', displayName: 'Marco Bianchi' })
  await seen('dialog', /Marco Bianchi/)
  await tell({ id: 'usr_me', displayName: 'Elena Rossi' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await cancel()
  expect(server.of('deposits.cancel')).toHaveLength(1)
})
