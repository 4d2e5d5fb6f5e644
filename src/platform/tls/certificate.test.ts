import { afterAll, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../clock.ts'
import { createLog } from '../log.ts'
import { renewalId } from './acme/renewal.ts'
import { covers, endsSoon, listCertificateDoubts, readCertificate } from './certificate.ts'
import { certificateRequest, makeKey, selfSigned } from './der.ts'
import { openCertificateFiles } from './files.ts'
import { writeSecretFile } from './secret-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'brokerbase-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))
const NOW = Date.UTC(2026, 10, 23)
const make = (names: readonly string[], days = 90, from = NOW) => {
  const key = makeKey()
  return { key, cert: selfSigned(names, key, { from, days }) }
}

test('a certificate is read with its names and times; a foreign key, other text and a damaged chain are refused', () => {
  const { cert, key } = make(['office.example', 'desk.example'])
  expect(readCertificate(cert, key)).toMatchObject({
    names: ['office.example', 'desk.example'],
    notBefore: NOW,
    notAfter: NOW + 90 * DAY,
  })
  const x509 = new X509Certificate(cert)
  expect([x509.verify(x509.publicKey), x509.ca]).toEqual([true, false])
  expect(() => readCertificate(cert, makeKey())).toThrow('the key does not belong to the certificate')
  expect(() => readCertificate('hello', key)).toThrow('the certificate is no PEM certificate')
  expect(() => readCertificate(cert, cert)).toThrow('the key is no PEM private key')
  const chain = cert + make(['authority.example']).cert
  expect(readCertificate(chain, key).names).toEqual(['office.example', 'desk.example'])
  for (const broken of [chain.slice(0, -100), chain.replace(/(.*)MII/s, '$1AAA')])
    expect(() => readCertificate(broken, key)).toThrow('the rest of its chain is damaged')
})

test.each([
  ['office.example', true],
  ['OFFICE.example', true],
  ['a.firm.example', true],
  ['a.b.firm.example', false],
  ['firm.example', false],
  ['192.0.2.1', true],
  ['192.0.2.2', false],
  ['[2001:db8::1]', true],
])('a certificate for a name, a wildcard and addresses covers the host %s: %p', (host, is) => {
  expect(covers(['office.example', '*.firm.example', '192.0.2.1', '2001:db8::1'], host)).toBe(is)
})

test('a certificate of another time or host is reported, and so is its end, two weeks or a quarter of its life before', () => {
  const { cert, key } = make(['office.example'])
  const certificate = readCertificate(cert, key)
  expect(listCertificateDoubts(certificate, 'office.example', NOW + DAY)).toEqual([])
  expect(listCertificateDoubts(certificate, 'other.example', NOW + 91 * DAY)).toEqual([
    'the certificate ended on 2027-02-21T00:00:00.000Z',
    'the certificate is not for other.example, the host of the public address',
  ])
  expect(listCertificateDoubts(certificate, 'office.example', NOW - DAY)[0]).toContain('begins on')
  expect([endsSoon(certificate, NOW + 75 * DAY), endsSoon(certificate, NOW + 77 * DAY)]).toEqual([false, true])
  const short = readCertificate(...toPair(make(['office.example'], 6)))
  expect([endsSoon(short, NOW + 4 * DAY), endsSoon(short, NOW + 5 * DAY)]).toEqual([false, true])
})

const toPair = ({ cert, key }: { cert: string; key: string }): [string, string] => [cert, key]

test('OpenSSL, if it is installed, reads a request for a certificate', () => {
  const openssl = Bun.which('openssl')
  if (openssl === null) {
    process.stdout.write('no openssl here: the request was not read by another program\n')
    return
  }
  // there are so many names that lengths take two bytes
  const names = Array.from({ length: 60 }, (_, n) => `desk-${n}.firm.example`)
  const read = Bun.spawnSync([openssl, 'req', '-inform', 'DER', '-noout', '-verify', '-text'], {
    stdin: certificateRequest(names, makeKey()),
  })
  expect(read.exitCode).toBe(0)
  for (const name of names) expect(read.stdout.toString()).toContain(`DNS:${name}`)
})

test('the id of a certificate for its renewal window is that of the example in RFC 9773', () => {
  const extension = '0603551d23' + '0418' + '3016' + '8014' + '69885b6b87464041e1b37b847ba0ae2cde01c8d4'
  const certificate = { der: Buffer.from(`3003020102${extension}`, 'hex'), serial: '87654321' }
  expect(renewalId(certificate)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
  expect(renewalId({ ...certificate, serial: '1234567' })).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.ASNFZw')
  expect(renewalId({ ...certificate, der: new Uint8Array(10) })).toBeNull()
})

test('certificate files that change are read again; a broken one is logged once, and the next good one is used', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const paths = { cert: join(folder, 'a.crt'), key: join(folder, 'a.key') }
  const put = ({ cert, key }: { cert?: string; key?: string }) => {
    if (cert !== undefined) writeFileSync(paths.cert, cert)
    if (key !== undefined) writeFileSync(paths.key, key)
  }
  const files = openCertificateFiles(paths, log)
  expect(() => files.read()).toThrow(`${paths.cert} cannot be read (ENOENT)`)
  const [first, second] = [make(['a.example']), make(['b.example'])]
  put(first)
  expect(files.read().names).toEqual(['a.example'])
  expect(files.look()).toBeNull()
  // a program that renews them writes one file after the other
  put({ cert: second.cert })
  expect(files.look()).toBeNull()
  expect(files.lastError()).toBe('the key does not belong to the certificate')
  expect(files.look()).toBeNull()
  put({ key: second.key })
  expect(files.look()?.names).toEqual(['b.example'])
  expect(files.lastError()).toBeNull()
  // a chain is written piece by piece
  put({ cert: second.cert + first.cert.slice(0, -100) })
  expect(files.look()).toBeNull()
  expect(files.lastError()).toContain('damaged')
  put({ cert: second.cert + first.cert })
  expect(files.look()?.names).toEqual(['b.example'])
  rmSync(paths.key)
  expect([files.look(), files.look()]).toEqual([null, null])
  expect(lines.length).toBe(3)
})

test('a secret file has mode 0600, even if it replaces a file that others could read', () => {
  const path = join(folder, 'secret')
  writeFileSync(path, 'old')
  chmodSync(path, 0o644)
  writeSecretFile(path, 'new')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
