import { expect, mock, test } from 'bun:test'
import { ApiError, type Problem } from '../../lib/api/http.ts'
import { press, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { ErrorState, errorText } from './error-state.tsx'

const refused = (problem: Partial<Problem>, retryAfter: number | null = null): ApiError =>
  new ApiError({ status: 422, title: 'Not valid', ...problem }, retryAfter)

test.each([
  ['a refusal', 'Below 10,000.00 EUR only.', () => refused({ detail: 'Below 10000.00 EUR only.' })],
  ['a refusal without a reason', 'Not valid', () => refused({})],
  [
    'a rate limit with a time to wait',
    'Too many attempts. Try again in 30 seconds.',
    () => refused({ status: 429 }, 30),
  ],
  ['a rate limit without one', 'Too many attempts. Try again in a moment.', () => refused({ status: 429 })],
  ['an exception in the console', 'Something went wrong. Try again.', () => new Error('undefined is not a function')],
  ['a missing error', 'Something went wrong. Try again.', () => null],
] satisfies [string, string, () => unknown][])('%s is shown in one line: %s', (_, words, error) => {
  expect(errorText(error())).toBe(words)
})

test('a temporary error can be retried, and shows the id of its request', async () => {
  const retry = mock(() => undefined)
  await renderPage(<ErrorState error={refused({ status: 503, detail: 'Busy.', requestId: 'req_7' })} retry={retry} />)
  expect((await seen('alert', '')).textContent).toContain('Busy.')
  expect(screen.getByText('req_7')).toBeDefined()
  await press(await seen('button', 'Try again'))
  expect(retry).toHaveBeenCalledTimes(1)
})

test.each([
  [404, 'It does not exist, or it has been deleted.'],
  [403, 'Your role does not allow this. Ask an administrator if you need it.'],
])('an error that no retry solves (%d) links to the dashboard instead', async (status, words) => {
  const { address } = await renderPage(<ErrorState error={refused({ status })} retry={() => undefined} />, {
    at: '/deposits/dep_x',
    route: '/deposits/$id',
  })
  expect(await screen.findByText(words)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Go back' })).toBeNull()
  await press(await seen('link', 'Go to the dashboard'))
  await waitFor(() => expect(address()).toBe('/'))
})

test('an exception in the code of the console is reported without its message', async () => {
  await renderPage(<ErrorState error={new TypeError('x is not a function')} />)
  expect(await screen.findByText('The console met an error that it did not expect.')).toBeDefined()
  expect(screen.queryByText(/not a function/)).toBeNull()
})
