import { expect, test } from 'bun:test'
import { createCors } from './cors.ts'

const OPEN = { path: '/v1/open', hooks: { detail: { 'x-any-origin': true } } }
const CLOSED = { path: '/v1/traders', hooks: { detail: {} } }

/** Returns whether CORS answers a page's preflight request itself, and what the page may do. */
function allowed(origins: readonly string[], path: string, origin = 'https://desk.example') {
  const cors = createCors(origins)
  cors.learn([OPEN, CLOSED])
  const headers: Record<string, string | number> = {}
  const isAnswered = cors.allow(new Request(`http://localhost${path}`, { headers: { origin } }), headers)
  return { isAnswered, headers }
}

test('without allowed origins, no page of another origin may do anything', () => {
  expect(allowed([], '/v1/traders')).toEqual({ isAnswered: false, headers: {} })
})

test('a page of an allowed origin may call and read the limits; a page of another origin learns nothing', () => {
  const { isAnswered, headers } = allowed(['https://desk.example'], '/v1/traders')
  expect([isAnswered, headers['access-control-allow-origin'], headers.vary]).toEqual([
    true,
    'https://desk.example',
    'Origin',
  ])
  expect(headers['access-control-expose-headers']).toContain('x-ratelimit-remaining-medium')
  expect(allowed(['https://other.example'], '/v1/traders')).toEqual({ isAnswered: true, headers: {} })
})

test('any page may post to an open route, without credentials', () => {
  for (const origins of [[], ['https://desk.example']]) {
    const { isAnswered, headers } = allowed(origins, '/v1/open?x=1')
    expect([isAnswered, headers['access-control-allow-origin'], headers['access-control-allow-methods']]).toEqual([
      true,
      '*',
      'POST',
    ])
    expect(headers['access-control-allow-headers']).toBe('content-type')
  }
})
