import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from 'bun:test'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { freePort } from '../testing/pebble.ts'
import { until } from '../testing/until.ts'
import { systemClock } from './clock.ts'
import { createEgress } from './egress.ts'
import { EgressError } from './egress-error.ts'
import { isPublicAddress } from './egress-networks.ts'
import { openTrustedSocket } from './trusted-socket.ts'

// a certificate for hooks.test, made for this file only
const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgR3mAUch6go0m0B0w
j6luyQ6DGYJvflQiYs7PjzxcwPWhRANCAASdQ5y2Elzah4CtsGfseNbCzJjYRv6r
biTygCN4Z4dFCTqcYLpITBw0Fct2y6kw/keoyVpnfLa1RufXWsvS3NjG
-----END PRIVATE KEY-----`
const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBmTCCAT6gAwIBAgIULpziaFFoObvXnVa8CaNgruKkBdYwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKaG9va3MudGVzdDAgFw0yNjExMjEwMDQzMDhaGA8yMTI2MTAy
ODAwNDMwOFowFTETMBEGA1UEAwwKaG9va3MudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABJ1DnLYSXNqHgK2wZ+x41sLMmNhG/qtuJPKAI3hnh0UJOpxgukhM
HDQVy3bLqTD+R6jJWmd8trVG59day9Lc2MajajBoMB0GA1UdDgQWBBQX1fCTosqt
VXfulMehlJPJ3dA38zAfBgNVHSMEGDAWgBQX1fCTosqtVXfulMehlJPJ3dA38zAV
BgNVHREEDjAMggpob29rcy50ZXN0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0E
AwIDSQAwRgIhALup2Pbwez6aSypsID50wxmPyot/SF43gf5oMtPtWHcpAiEAq4Ce
/vO8nUzCpa+6cshlWO7j4+3+NX0wlN73WKzU4wk=
-----END CERTIFICATE-----`

const loopback = { allowedNetworks: ['127.0.0.0/8'], clock: systemClock }
const closed = { allowedNetworks: [], clock: systemClock }

const listen = async <T extends TcpServer>(server: T, host = '127.0.0.1', port = 0): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const thrown = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    return error instanceof EgressError ? error.code : `unexpected ${String(error)}`
  }
  return 'no error'
}

const listed = (text: string): string[] => text.trim().split(/\s+/)

const blockedAddresses = [
  ...listed(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
  169.254.0.1 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255
  198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 ::2
  ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 0:0:0:0:0:ffff:10.0.0.1 ::ffff:0:127.0.0.1
  64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 64:ff9b:1:ffff::7f00:1 100::1 2001::1 2001:0:7f00:1:: 2001:2::1
  2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 febf::1
  fec0::1 ff02::1 ff0e::1
  `),
  // No canonical address: what a resolver means by it must not be guessed.
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '0177.0.0.1',
  '08.8.8.8',
  'fe80::1%lo',
  '2606:4700::1%lo',
  '',
  'localhost',
]

const publicAddresses = listed(`
  8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
  172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2606:4700:4700::1111 2a00:1450::1 2001:4860:4860::8888 2003::1
`)

describe('an address', () => {
  test.each(blockedAddresses)('the address %s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  test.each(publicAddresses)('the address %s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each(blockedAddresses.filter((address) => address !== ''))(
    'a URL is refused if one address of its host is %s',
    async (to) => {
      const egress = createEgress({ ...closed, resolve: async () => ['8.8.8.8', to] })
      expect(await egress.checkUrl('https://hooks.example/x')).toMatchObject({ ok: false, code: 'blocked_address' })
    },
  )
})

describe('checkUrl', () => {
  const neverAsked = async (): Promise<string[]> => {
    throw new Error('asked the resolver')
  }
  const egress = createEgress({ ...closed, resolve: neverAsked })

  test.each([
    ...listed(`
    https://127.0.0.1/ https://127.1/ https://2130706433/ https://0x7f000001/ https://0177.0.0.1/
    https://017700000001/ https://0x7f.1/ https://127.0.0.1./ https://0/ https://①②⑦.⓪.⓪.①/ https://localhost/
    https://LOCALHOST./ https://a.b.localhost/ https://169.254.169.254/latest/ https://[::1]/ https://[::]/
    https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[64:ff9b::7f00:1]/ https://[fe80::1]/
    https://[fd00::1]/ https://[2002:7f00:1::]/ https://10.1.2.3:8443/ https://192.168.1.1/
    https://%31%32%37.0.0.1/ https://127。0。0。1/ http://10.0.0.1/
    `),
  ])('the URL %s has a blocked address', async (url) => {
    expect(await egress.checkUrl(url)).toMatchObject({ ok: false, code: 'blocked_address' })
    expect(await thrown(egress.request({ method: 'POST', url, body: 'x' }))).toBe('blocked_address')
  })

  test.each([
    '',
    'x',
    '//8.8.8.8/',
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'gopher://8.8.8.8/',
    'javascript:alert(1)',
    'unix:/x',
    'https://',
    'https://user@8.8.8.8/',
    'https://user:word@8.8.8.8/',
    'https://:word@8.8.8.8/',
    'http://8.8.8.8/',
    'https://8.8.8.8:99999/',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    `https://8.8.8.8/${'a'.repeat(2048)}`,
  ])('%p is refused as a bad URL', async (url) => {
    expect(await egress.checkUrl(url)).toMatchObject({ ok: false, code: 'bad_url' })
    expect(await thrown(egress.request({ method: 'POST', url, body: 'x' }))).toBe('bad_url')
  })

  test('a URL with https to a public address may be called on any port', async () => {
    const open = createEgress({ ...closed, resolve: async () => ['8.8.8.8', '2606:4700:4700::1111'] })
    for (const url of ['https://hooks.example/a?b=c', 'https://hooks.example:8443/', 'https://8.8.8.8/']) {
      expect(await open.checkUrl(url)).toEqual({ ok: true })
    }
    expect(await open.checkUrl('http://hooks.example/')).toMatchObject({ ok: false, code: 'bad_url' })
  })

  test('a URL is refused if its host has no address or the resolver fails', async () => {
    for (const resolve of [async () => [], neverAsked]) {
      const verdict = await createEgress({ ...closed, resolve }).checkUrl('https://hooks.example/')
      expect(verdict).toMatchObject({ ok: false, code: 'dns_failed' })
    }
  })

  test('a URL to a private address may be called in the configured networks only, there also by http', async () => {
    const some = createEgress({ ...closed, allowedNetworks: ['10.1.0.0/16', 'fd00::/64'], resolve: neverAsked })
    for (const url of ['https://10.1.2.3/', 'http://10.1.2.3:8080/', 'http://[fd00::5]/']) {
      expect(await some.checkUrl(url)).toEqual({ ok: true })
    }
    for (const url of [
      'https://10.2.0.1/',
      'http://[fd00:0:0:1::5]/',
      'https://[::ffff:10.1.2.3]/',
      'https://127.0.0.1/',
    ]) {
      expect(await some.checkUrl(url)).toMatchObject({ ok: false, code: 'blocked_address' })
    }
    const mixed = createEgress({
      ...closed,
      allowedNetworks: ['10.1.0.0/16'],
      resolve: async () => ['10.1.0.1', '8.8.8.8'],
    })
    expect(await mixed.checkUrl('http://hooks.example/')).toMatchObject({ ok: false, code: 'bad_url' })
  })

  test('a wrong network in the configuration is refused at the start', () => {
    expect(() => createEgress({ ...closed, allowedNetworks: ['10.0.0.0'] })).toThrow(/not a network/)
  })
})

describe('an outgoing request', () => {
  type Seen = { method: string; path: string; headers: Record<string, unknown>; body: string }
  let server: Server
  let port = 0
  let seen: Seen[] = []

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? ''
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => {
        seen.push({ method: request.method ?? '', path, headers: request.headers, body })
        if (path === '/never') return
        if (path === '/redirect') response.writeHead(302, { location: '/target' }).end('moved')
        else if (path === '/big') response.end(Buffer.alloc(5_000_000, 'x'))
        else if (path === '/stuck') response.writeHead(200).write('some')
        else if (path === '/cut') {
          response.writeHead(200, { 'content-length': '100' }).write('some', () => response.destroy())
        } else response.writeHead(201, { 'x-answer': ['a', 'b'] }).end('fine')
      })
    })
    port = await listen(server)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    seen = []
  })

  const egress = createEgress(loopback)
  const url = (path: string, host = '127.0.0.1'): string => `http://${host}:${port}${path}`

  test('an outgoing request sends method, path, headers and body, and returns status, headers and body', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-crm-event': 'a',
      Host: 'evil.test',
      'Content-Length': '999',
    }
    const answer = await egress.request({ method: 'POST', url: url('/a%20b?c=d'), headers, body: '{"ä":1}' })
    expect(answer.status).toBe(201)
    expect(answer.headers['x-answer']).toBe('a, b')
    expect(new TextDecoder().decode(answer.body)).toBe('fine')
    expect(answer.truncated).toBe(false)
    expect(answer.latencyMs).toBeGreaterThanOrEqual(0)
    expect(seen).toMatchObject([{ method: 'POST', path: '/a%20b?c=d', body: '{"ä":1}' }])
    expect(seen[0]?.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'content-length': '8', 'x-crm-event': 'a' })
  })

  test('an outgoing request returns a redirect as the answer', async () => {
    const answer = await egress.request({ method: 'POST', url: url('/redirect'), body: 'x' })
    expect([answer.status, answer.headers.location]).toEqual([302, '/target'])
    expect(seen.map(({ path }) => path)).toEqual(['/redirect'])
  })

  test('an answer is cut off at the limit, and one of exactly the limit is complete', async () => {
    const cut = await egress.request({ method: 'GET', url: url('/big'), maxResponseBytes: 1000 })
    expect([cut.body.length, cut.truncated]).toEqual([1000, true])
    const whole = await egress.request({ method: 'GET', url: url('/x'), maxResponseBytes: 4 })
    expect([whole.body.length, whole.truncated]).toEqual([4, false])
  })

  /** Returns the error code of a request whose time ends after the server received it. */
  const codeIfLate = async (path: string): Promise<unknown> => {
    jest.useFakeTimers()
    const limits = { connectTimeoutMs: 50, totalTimeoutMs: 200 }
    const code = thrown(egress.request({ method: 'GET', url: url(path), ...limits }))
    await until('it is heard', () => seen.some((request) => request.path === path))
    jest.advanceTimersByTime(200)
    jest.useRealTimers()
    return code
  }

  test('the error distinguishes silence, a stuck answer and a broken answer from a connect timeout', async () => {
    for (const path of ['/never', '/stuck']) expect(await codeIfLate(path)).toBe('timeout')
    expect(await thrown(egress.request({ method: 'GET', url: url('/cut') }))).toBe('connection_failed')
  })

  test('an outgoing request fails at a closed port, and with a resolver that never answers', async () => {
    const free = `http://127.0.0.1:${freePort()}/`
    expect(await thrown(egress.request({ method: 'GET', url: free }))).toBe('connection_failed')
    const mute = createEgress({ ...loopback, resolve: () => new Promise(() => {}) })
    const call = mute.request({ method: 'GET', url: 'http://hooks.test/', connectTimeoutMs: 50 })
    expect(await thrown(call)).toBe('dns_failed')
  })

  test('an outgoing request calls the address that was checked, though the name moves in between', async () => {
    let other = 0
    const trap = createServer((_request, response) => {
      other += 1
      response.end()
    })
    await listen(trap, '127.0.0.2', port)
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
    const asked: string[] = []
    const resolve = async (host: string): Promise<string[]> => {
      asked.push(host)
      return answers[asked.length - 1] ?? []
    }
    const answer = await createEgress({ ...loopback, resolve }).request({ method: 'GET', url: url('/x', 'hooks.test') })
    trap.close()
    expect([answer.status, other, asked]).toEqual([201, 0, ['hooks.test']])
    expect(seen[0]?.headers.host).toBe(`hooks.test:${port}`)
  })

  test('a name that was public when entered and is loopback when called is refused', async () => {
    let calls = 0
    const resolve = async (): Promise<string[]> => (calls++ === 0 ? ['8.8.8.8'] : ['127.0.0.1'])
    const strict = createEgress({ ...closed, resolve })
    const target = `https://hooks.test:${port}/x`
    expect(await strict.checkUrl(target)).toEqual({ ok: true })
    expect(await thrown(strict.request({ method: 'POST', url: target, body: 'x' }))).toBe('blocked_address')
    expect(seen).toEqual([])
  })

  test('an outgoing request tries the next address if one does not connect', async () => {
    const resolve = async (): Promise<string[]> => ['127.0.0.3', '127.0.0.1']
    const answer = await createEgress({ ...loopback, resolve }).request({ method: 'GET', url: url('/x', 'hooks.test') })
    expect([answer.status, seen.length]).toEqual([201, 1])
  })
})

describe('an outgoing TLS request', () => {
  const resolve = async (): Promise<string[]> => ['127.0.0.1']
  const names: unknown[] = []
  const server = createTlsServer({ key: testKey, cert: testCertificate }, (request, response) => {
    names.push('servername' in request.socket ? request.socket.servername : undefined, request.headers.host)
    response.end('secure')
  })
  let port = 0
  beforeAll(async () => {
    port = await listen(server)
  })
  afterAll(() => {
    server.close()
  })

  test('a TLS request keeps the name for SNI and Host, and checks the certificate against it', async () => {
    const egress = createEgress({ ...loopback, resolve, trustedCertificates: testCertificate })
    const answer = await egress.request({ method: 'POST', url: `https://hooks.test:${port}/`, body: 'x' })
    expect(new TextDecoder().decode(answer.body)).toBe('secure')
    expect(names).toEqual(['hooks.test', `hooks.test:${port}`])
    expect(await thrown(egress.request({ method: 'GET', url: `https://other.test:${port}/` }))).toBe('tls_failed')
    expect(await thrown(egress.request({ method: 'GET', url: `https://127.0.0.1:${port}/` }))).toBe('tls_failed')
  })

  test('a TLS request refuses a certificate of an unknown authority', async () => {
    const egress = createEgress({ ...loopback, resolve })
    expect(await thrown(egress.request({ method: 'GET', url: `https://hooks.test:${port}/` }))).toBe('tls_failed')
  })

  test('a TLS request gives up a server that only sends interim answers', async () => {
    let sockets = 0
    const server = createTcpServer((socket) => {
      sockets += 1
      socket.on('error', () => {})
      const say = (error?: Error | null): void => {
        if (!error) socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(20), say)
      }
      say()
    })
    const port = await listen(server)
    const url = `http://127.0.0.1:${port}/`
    expect(await thrown(createEgress(loopback).request({ method: 'GET', url }))).toBe('connection_failed')
    expect(sockets).toBe(1)
    server.close()
  })

  test('a TLS request fails for a server that does not speak TLS, and for a silent one', async () => {
    const egress = createEgress({ ...loopback, resolve })
    const rude = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('no\r\n'))
    })
    const mute = createTcpServer((socket) => {
      socket.on('error', () => {})
    })
    const rudePort = await listen(rude)
    const mutePort = await listen(mute)
    expect(await thrown(egress.request({ method: 'GET', url: `https://hooks.test:${rudePort}/` }))).toBe('tls_failed')
    const call = egress.request({ method: 'GET', url: `https://hooks.test:${mutePort}/`, connectTimeoutMs: 100 })
    expect(await thrown(call)).toBe('connect_timeout')
    rude.close()
    mute.close()
  })
})

describe('openTrustedSocket', () => {
  test('a trusted socket tries the private addresses of a host in turn, and fails with a sentence', async () => {
    const server = createTcpServer((socket) => socket.end('hello'))
    const port = await listen(server)
    const socket = await openTrustedSocket('relay.test', port, 60_000, async () => ['127.0.0.9', '127.0.0.1'])
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    expect(await thrown(openTrustedSocket('localhost', port, 60_000))).toBe('connection_failed')
    expect(await thrown(openTrustedSocket('relay.test', port, 60_000, async () => []))).toBe('dns_failed')
    expect(await thrown(openTrustedSocket('relay.test', port, 30, () => new Promise(() => {})))).toBe('connect_timeout')
  })
})
