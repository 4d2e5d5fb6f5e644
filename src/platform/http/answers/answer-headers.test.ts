import { expect, test } from 'bun:test'
import { createAnswerHeaders } from './answer-headers.ts'

const entries = (response: Response): Record<string, string> => Object.fromEntries(response.headers)

test('an answer keeps its own headers after the next answer was made', () => {
  const buildHeaders = createAnswerHeaders()
  const answers = [
    { 'x-request-id': 'a', 'x-count': 1 },
    { 'x-request-id': 'b', 'x-count': 1, etag: '"1"' },
    { 'x-request-id': 'c', 'x-count': 0 },
    // as many names as the answer before, but one of them is another
    { 'x-request-id': 'd', 'x-other': 'o' },
    { 'x-request-id': 'e', 'x-count': 2 },
    { 'x-request-id': 'f', 'x-count': 2, etag: '"2"' },
    {},
  ]
  const responses = answers.map((headers) => new Response('', { headers: buildHeaders(headers) }))
  const expected = answers.map((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  )
  expect(responses.map(entries)).toEqual(expected)
  expect(answers[0]).toEqual({ 'x-request-id': 'a', 'x-count': 1 })
})
