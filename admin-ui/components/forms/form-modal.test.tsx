import { expect, mock, test } from 'bun:test'
import { Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { call } from '../../api.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { type Answers, noAnswer, refusal } from '../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../testing/render.tsx'
import { FormModal } from './form-modal.tsx'

type Props = {
  onClose: () => void
  onReload?: () => void
  onDone?: (result: unknown) => void
  isLong?: boolean
}

const Form = ({ onClose, onReload, onDone, isLong = false }: Props) => {
  const Reason = isLong ? Textarea : TextInput
  const state = useApiForm({
    initialValues: { reason: '' },
    validate: { reason: (text: string) => (text.trim() ? null : 'Say why it failed') },
    submit: ({ reason }) => call('deposits.fail', { params: { id: 'dep_1' }, body: { reason }, ifMatch: 3 }),
    ...(onDone && { onDone }),
  })
  return (
    <>
      <Link to="/kyc">Away</Link>
      <FormModal
        state={state}
        title="Mark as failed"
        submitLabel="Send"
        opened
        onClose={onClose}
        {...(onReload && { onReload })}
      >
        <Reason label="Reason" data-autofocus {...state.form.getInputProps('reason')} />
      </FormModal>
    </>
  )
}

async function form(answers: Answers = {}, props: Omit<Props, 'onClose'> = {}) {
  const onClose = mock(() => {})
  const drawn = await renderPage(<Form onClose={onClose} {...props} />, { answers })
  return { ...drawn, onClose, closed: () => onClose.mock.calls.length, reason: await screen.findByLabelText('Reason') }
}
/** Finds the question whether the typed text may be dropped. */
const question = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: 'Discard changes?' })

test('Esc closes an untouched form at once', async () => {
  const { closed } = await form()
  await keys('{Escape}')
  expect(closed()).toBe(1)
})

test('Esc in a changed form asks first, and a second Esc keeps the text', async () => {
  const { closed, reason } = await form()
  await fill(reason, 'Returned by the bank')
  await keys('{Escape}')
  expect((await question()).textContent).toContain('What you typed here has not been saved.')
  await keys('{Escape}')
  await waitFor(() => expect(screen.queryByText('Discard changes?')).toBeNull())
  expect(closed()).toBe(0)
  expect(reason).toHaveProperty('value', 'Returned by the bank')
})

test.each([['Cancel'], ['Close']])('“%s” in a changed form asks too, and “Discard” drops the text', async (name) => {
  const { closed, reason } = await form()
  await fill(reason, 'words')
  await pressButton(name)
  expect(closed()).toBe(0)
  await press(within(await question()).getByRole('button', { name: 'Discard' }))
  expect(closed()).toBe(1)
})

test('a form whose typed text was removed again closes without a question', async () => {
  const { closed, reason } = await form()
  await fill(reason, 'words')
  await fill(reason, '')
  await keys('{Escape}')
  expect(closed()).toBe(1)
})

test('leaving the page with a changed form asks, and “Keep editing” stays', async () => {
  const { address, reason } = await form()
  await fill(reason, 'words')
  await press(screen.getByText('Away'))
  await press(within(await question()).getByRole('button', { name: 'Keep editing' }))
  expect(address()).toBe('/')
  await press(screen.getByText('Away'))
  await press(within(await question()).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(address()).toBe('/kyc'))
})

test('a missing value is marked at its field, and nothing is sent', async () => {
  const { server } = await form()
  await pressButton('Send')
  expect(await screen.findByText('Say why it failed')).toBeDefined()
  expect(server.asked).toEqual([])
})

test('Enter in a field sends the form once', async () => {
  const wait = Promise.withResolvers<Response>()
  const { server, reason } = await form({ 'deposits.fail': () => wait.promise })
  await fill(reason, 'Returned{Enter}{Enter}')
  await waitFor(() => expect(server.of('deposits.fail')).toHaveLength(1))
  expect(server.of('deposits.fail')[0]).toMatchObject({ body: { reason: 'Returned' }, ifMatch: '"3"' })
  wait.resolve(refusal(422, 'no', 'No.'))
  expect((await screen.findByRole('alert')).textContent).toBe('No.')
})

test('Ctrl-Enter sends a form from a text of several lines, where Enter starts a new line', async () => {
  const { server, reason } = await form({ 'deposits.fail': refusal(422, 'no', 'No.') }, { isLong: true })
  await fill(reason, 'Returned{Enter}by the bank')
  expect(server.of('deposits.fail')).toEqual([])
  await keys('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(server.of('deposits.fail')).toHaveLength(1))
  expect(server.of('deposits.fail')[0]).toMatchObject({ body: { reason: 'Returned\nby the bank' } })
})

test('while a form is sent Esc closes nothing, and leaving the page says that it continues', async () => {
  const wait = Promise.withResolvers<Response>()
  const { closed, reason, address } = await form({ 'deposits.fail': () => wait.promise })
  await fill(reason, 'Returned{Enter}')
  await keys('{Escape}')
  expect(closed()).toBe(0)
  await press(screen.getByText('Away'))
  expect(await screen.findByText('It is being sent; leaving does not stop it.')).toBeDefined()
  await pressButton('Stay')
  expect(address()).toBe('/')
  wait.resolve(refusal(422, 'no', 'No.'))
  expect(await screen.findByText('No.')).toBeDefined()
})

test.each([['/reason'], ['reason'], ['/body/reason']])(
  'the server’s refusal of %s is shown at its field',
  async (path) => {
    const { reason } = await form({
      'deposits.fail': refusal(400, 'validation_failed', 'Not valid.', [{ path, message: 'expected text, or null' }]),
    })
    await fill(reason, 'x{Enter}')
    expect(await screen.findByText('Expected text')).toBeDefined()
    expect(screen.queryByText('Not valid.')).toBeNull()
  },
)

test('the server’s refusal of a field that the form lacks is shown', async () => {
  const { reason } = await form({
    'deposits.fail': refusal(400, 'validation_failed', 'Not valid.', [{ path: 'other', message: 'no' }]),
  })
  await fill(reason, 'x{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('Not valid.Other: No')
})

test('a form offers to load a newer version, and asks first whether to drop the typed text', async () => {
  const onReload = mock(() => {})
  const { reason } = await form(
    { 'deposits.fail': refusal(412, 'version_mismatch', 'A colleague changed it.') },
    { onReload },
  )
  await fill(reason, 'x{Enter}')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  await pressButton('Load the current version')
  expect(onReload).not.toHaveBeenCalled()
  await press(within(await question()).getByRole('button', { name: 'Discard' }))
  expect(onReload).toHaveBeenCalledTimes(1)
})

test('closing a form whose request got no answer warns that it may have been done', async () => {
  const { reason } = await form({ 'deposits.fail': noAnswer })
  await fill(reason, 'x{Enter}')
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  await keys('{Escape}')
  expect((await question()).textContent).toContain('so it may have been done')
})

test('Esc closes a form that was sent successfully without a question', async () => {
  const { closed, reason, server } = await form({ 'deposits.fail': Response.json({}) })
  await fill(reason, 'x{Enter}')
  await waitFor(() => expect(server.of('deposits.fail')).toHaveLength(1))
  await waitFor(async () => expect((await seen('button', 'Cancel')).hasAttribute('disabled')).toBe(false))
  await keys('{Escape}')
  expect(closed()).toBe(1)
})
