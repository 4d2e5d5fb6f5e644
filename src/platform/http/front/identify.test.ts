import { expect, test } from 'bun:test'
import { isSameOrigin } from './identify.ts'

test.each([
  ['the browser says so', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
  [
    'the browser says that it is another site',
    { 'sec-fetch-site': 'cross-site', origin: 'https://desk.example' },
    false,
  ],
  ['the page lies at the same host', { origin: 'https://desk.example', host: 'desk.example' }, true],
  ['the page lies at another port', { origin: 'https://desk.example:8443', host: 'desk.example' }, false],
  ['its origin is hidden', { origin: 'null', host: 'desk.example' }, false],
  ['nothing is said', { host: 'desk.example' }, false],
])('if %s (%j), a request counts as of the same origin: %p', (_, headers, isOurs) => {
  expect(isSameOrigin(new Request('http://localhost/', { headers }))).toBe(isOurs)
})
