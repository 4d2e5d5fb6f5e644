import { expect, mock, test } from 'bun:test'
import { call } from '../../api.ts'
import { noAnswer, refusal } from '../../testing/answers.ts'
import { fill, keys, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { Confirm } from './confirm.tsx'

const QUESTION = { title: 'Cancel this deposit', confirmLabel: 'Cancel deposit', closeLabel: 'Keep it', opened: true }

test('a confirmed action runs once, however often its button is pressed, and closes the dialog', async () => {
  const onClose = mock(() => {})
  const answer = Promise.withResolvers<void>()
  const action = mock(() => answer.promise)
  await renderPage(
    <Confirm {...QUESTION} onClose={onClose} action={action}>
      Sure?
    </Confirm>,
  )
  const button = await seen('button', 'Cancel deposit')
  button.click()
  button.click()
  await keys('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  answer.resolve()
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(action).toHaveBeenCalledTimes(1)
})

test('a refusal stays in the confirmation dialog, with its amounts grouped', async () => {
  const onClose = mock(() => {})
  await renderPage(
    <Confirm {...QUESTION} onClose={onClose} action={() => call('deposits.cancel', { params: { id: 'dep_1' } })}>
      Sure?
    </Confirm>,
    { answers: { 'deposits.cancel': refusal(422, 'limit', 'Below 10000.00 EUR only.') } },
  )
  await pressButton('Cancel deposit')
  expect((await screen.findByRole('alert')).textContent).toContain('Below 10,000.00 EUR only.')
  expect(onClose).not.toHaveBeenCalled()
})

test.each([
  [412, 'version_mismatch'],
  [409, 'wrong_state'],
])('a colleague’s change meanwhile (%d %s) makes the dialog offer the current version', async (status, code) => {
  const onReload = mock(() => {})
  const onClose = mock(() => {})
  await renderPage(
    <Confirm
      {...QUESTION}
      onClose={onClose}
      onReload={onReload}
      action={() => call('deposits.cancel', { params: { id: 'dep_1' }, ifMatch: 3 })}
    >
      Sure?
    </Confirm>,
    { answers: { 'deposits.cancel': refusal(status, code, 'It is settled already.') } },
  )
  await pressButton('Cancel deposit')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  await pressButton('Load the current version')
  expect([onReload.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 1])
})

test('a lost answer is reported, and the second try sends the same Idempotency-Key', async () => {
  const { server } = await renderPage(
    <Confirm {...QUESTION} onClose={() => {}} action={() => call('deposits.cancel', { params: { id: 'dep_1' } })}>
      Sure?
    </Confirm>,
    { answers: { 'deposits.cancel': noAnswer } },
  )
  await pressButton('Cancel deposit')
  expect((await screen.findByRole('alert')).textContent).toContain('It may have been done')
  await pressButton('Cancel deposit')
  await waitFor(() => expect(server.of('deposits.cancel')).toHaveLength(2))
  const [first, second] = server.of('deposits.cancel')
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(second?.key).toBe(first?.key ?? '')
})

test('an action that cannot be undone needs the exact word typed', async () => {
  const action = mock(async () => {})
  await renderPage(
    <Confirm {...QUESTION} typed="ACME" onClose={() => {}} action={action}>
      Sure?
    </Confirm>,
  )
  const button = await seen('button', 'Cancel deposit')
  await fill(await screen.findByLabelText('Type ACME to confirm'), 'acme')
  expect(button).toHaveProperty('disabled', true)
  await fill(await screen.findByLabelText('Type ACME to confirm'), 'ACME')
  await pressButton('Cancel deposit')
  await waitFor(() => expect(action).toHaveBeenCalledTimes(1))
})

test('the closing button and Esc close a confirmation without running its action', async () => {
  const onClose = mock(() => {})
  const action = mock(async () => {})
  await renderPage(
    <Confirm {...QUESTION} onClose={onClose} action={action}>
      Sure?
    </Confirm>,
  )
  await pressButton('Keep it')
  await keys('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
  expect(action).not.toHaveBeenCalled()
})
