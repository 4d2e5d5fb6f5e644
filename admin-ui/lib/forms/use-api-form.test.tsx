import { expect, test } from 'bun:test'
import { TextInput } from '@mantine/core'
import { call } from '../../api.ts'
import { FormBody } from '../../components/forms/form-modal.tsx'
import { required } from '../../features/firm/auth/form-rules.ts'
import { type Answers, noAnswer, refusal } from '../../testing/answers.ts'
import { fill, keys, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { meAs, trader } from '../../testing/samples.ts'
import { formatMessage, useApiForm } from './use-api-form.ts'

const Form = ({ onDone }: { onDone: (sent: unknown) => void }) => {
  const state = useApiForm({
    initialValues: { email: '', address: { city: '' }, kind: '', tags: '' },
    validate: { email: required('Enter an e-mail address') },
    submit: ({ email, address }) => call('traders.create', { body: { email, address } }),
    onDone: (_, sent) => onDone(sent),
  })
  return (
    <FormBody state={state} submitLabel="Send">
      <TextInput label="E-mail" {...state.form.getInputProps('email')} />
      <TextInput label="City" {...state.form.getInputProps('address.city')} />
      <TextInput label="Tags" {...state.form.getInputProps('tags')} />
    </FormBody>
  )
}
const open = async (answer: NonNullable<Answers['traders.create']>) => {
  const done: unknown[] = []
  const drawn = await renderPage(<Form onDone={(sent) => void done.push(sent)} />, {
    answers: { 'auth.me': meAs('manager'), 'traders.create': answer },
  })
  await fill(await seen('textbox', 'E-mail'), 'a@b.eu')
  return { ...drawn, done }
}
const invalid = (...errors: { path: string; message: string }[]): Response =>
  refusal(422, 'validation_failed', 'Not valid', errors)

test('a required field is marked before anything is sent, for screen readers too', async () => {
  const { server } = await open(trader())
  expect(screen.getByLabelText(/^E-mail/).getAttribute('aria-required')).toBe('true')
  expect(screen.getByLabelText(/^City/).getAttribute('aria-required')).toBeNull()
  await fill(await seen('textbox', 'E-mail'), ' ')
  await keys('{Enter}')
  expect(await screen.findByText('Enter an e-mail address')).toBeDefined()
  expect(server.of('traders.create')).toEqual([])
})

test.each([
  ['/email', 'E-mail'],
  ['email', 'E-mail'],
  ['/body/address/city', 'City'],
  ['address.city', 'City'],
])('a fault at %s is shown at the field %s', async (path, label) => {
  await open(invalid({ path, message: 'is not known here' }))
  await pressButton('Send')
  await screen.findByText('Is not known here')
  expect((await seen('textbox', label)).getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['/address', 'Address: Is too long'],
  ['/metadata', 'Metadata: Is too long'],
  ['controlTotals.EUR', 'Control totals EUR: Is too long'],
  ['/', 'Is too long'],
])('a fault at %s without a field is shown below the form', async (path, told) => {
  await open(invalid({ path, message: 'is too long' }))
  await pressButton('Send')
  expect((await seen('alert', '')).textContent).toBe(`Not valid${told}`)
})

test('of several faults those with a field are shown there, and the others below', async () => {
  await open(invalid({ path: '/email', message: 'is taken' }, { path: '/phone', message: 'is no phone number' }))
  await pressButton('Send')
  expect((await seen('alert', '')).textContent).toBe('Not validPhone: Is no phone number')
  expect(screen.getByText('Is taken')).toBeDefined()
})

test('a fault of a value whose field is not drawn is shown below the form', async () => {
  await open(invalid({ path: '/kind', message: 'is not known' }))
  await pressButton('Send')
  expect((await seen('alert', '')).textContent).toBe('Not validKind: Is not known')
})

test('a fault inside a list is shown at the field of the list', async () => {
  await open(invalid({ path: '/tags/1', message: 'is too long' }))
  await pressButton('Send')
  await screen.findByText('Is too long')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a sent form reports that it was saved, and is not dirty any more', async () => {
  const { done } = await open(trader())
  await pressButton('Send')
  await waitFor(() => expect(done).toEqual([{ email: 'a@b.eu', address: { city: '' }, kind: '', tags: '' }]))
})

test('two quick presses send a form once', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof trader>>()
  const { server, done } = await open(() => answer.promise)
  const button = await seen('button', 'Send')
  button.click()
  button.click()
  answer.resolve(trader())
  await waitFor(() => expect(done).toHaveLength(1))
  expect(server.of('traders.create')).toHaveLength(1)
})

test('the same values after a lost answer keep the request’s key, and other values get a new one', async () => {
  const { server } = await open(noAnswer)
  await pressButton('Send')
  await screen.findByText(/No answer came/)
  await pressButton('Send')
  await waitFor(() => expect(server.of('traders.create')).toHaveLength(2))
  await fill(await seen('textbox', 'City'), 'Porto')
  await pressButton('Send')
  await waitFor(() => expect(server.of('traders.create')).toHaveLength(3))
  const [first, second, third] = server.of('traders.create').map(({ key }) => key)
  expect([second === first, third === first]).toEqual([true, false])
})

test.each([
  ['must be set', 'Must be set'],
  ['must be a day, or null', 'Must be a day'],
  ['Expected union value', 'This is not a value that can stand here'],
])('the server’s “%s” is shown as “%s”', (message, words) => {
  expect(formatMessage(message).slice(0, 20)).toBe(words.slice(0, 20))
})
