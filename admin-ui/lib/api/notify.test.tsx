import { expect, test } from 'bun:test'
import { act, renderPage, screen, waitFor } from '../../testing/render.tsx'
import { notify, notifyFailure, notifyWithUndo } from './notify.tsx'

const listNotices = (): string[] => screen.getAllByRole('alert').map(({ textContent }) => textContent ?? '')

test('at most three notices are shown, the newest first', async () => {
  await renderPage(<p>page</p>)
  act(() => {
    notify('One')
    notify('Two')
    notifyWithUndo('Three', () => undefined)
    notify('Four')
  })
  await waitFor(() => expect(listNotices()).toEqual(['Four', 'Three Undo', 'Two']))
})

test('a failure stays when later notices come', async () => {
  await renderPage(<p>page</p>)
  act(() => {
    notifyFailure('It failed')
    for (const text of ['One', 'Two', 'Three', 'Four']) notify(text)
  })
  await waitFor(() => expect(listNotices()).toEqual(['Four', 'Three', 'It failed']))
})
