import { expect, test } from 'bun:test'
import { createAddresses } from './client-address.ts'

/** Returns the addresses of a server whose requests come from `peer`. */
function behind(peer: string, trustedProxies: readonly string[] = []) {
  const strangers: string[] = []
  const addresses = createAddresses({ trustedProxies }, (one) => void strangers.push(one))
  addresses.serveBy({ requestIP: () => ({ address: peer, port: 4711 }) })
  return { addresses, strangers }
}
const asked = (headers: Record<string, string> = {}): Request => new Request('http://localhost/', { headers })

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
  ['198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['198.51.100.7:4711', '198.51.100.7'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  // a hop that is no address makes those before it mere claims
  ['198.51.100.7, nobody', '10.0.0.1'],
  ['198.51.100.7, nobody, 10.0.0.2', '10.0.0.2'],
  ['', '10.0.0.1'],
])('a request with X-Forwarded-For “%s” by a trusted proxy comes from %s', (forwarded, client) => {
  const { addresses, strangers } = behind('10.0.0.1', ['10.0.0.0/8'])
  expect(addresses.of(asked({ 'x-forwarded-for': forwarded }))).toBe(client)
  expect(strangers).toEqual([])
})

test('only the last hops of a very long X-Forwarded-For are read', () => {
  const { addresses } = behind('10.0.0.1', ['10.0.0.0/8'])
  const hops = ['198.51.100.7', ...Array.from({ length: 30 }, () => '10.0.0.2')].join(',')
  expect(addresses.of(asked({ 'x-forwarded-for': hops }))).toBe('10.0.0.2')
})

test('X-Forwarded-For of an untrusted proxy is ignored, and the proxy is noted', () => {
  for (const trusted of [[], ['10.0.0.0/8']]) {
    const { addresses, strangers } = behind('203.0.113.9', trusted)
    expect(addresses.of(asked({ 'x-forwarded-for': '198.51.100.7' }))).toBe('203.0.113.9')
    expect(strangers).toEqual(['203.0.113.9'])
  }
})

test('a request by a program on this machine is local, unless the program forwards it for somebody', () => {
  expect(behind('127.0.0.1').addresses.isLocal(asked())).toBe(true)
  expect(behind('::1').addresses.isLocal(asked())).toBe(true)
  expect(behind('127.0.0.1').addresses.isLocal(asked({ forwarded: 'for=203.0.113.9' }))).toBe(false)
  expect(behind('203.0.113.9').addresses.isLocal(asked())).toBe(false)
})

test('no address is known or local before the server listens', () => {
  const addresses = createAddresses({ trustedProxies: [] }, () => {})
  expect([addresses.of(asked()), addresses.findConnection(asked()), addresses.isLocal(asked())]).toEqual([
    '127.0.0.1',
    null,
    false,
  ])
  expect(behind('203.0.113.9').addresses.findConnection(asked())).toBe('203.0.113.9 4711')
})
