import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadOrCreateKey } from './key-file.ts'
import { constantTimeEqual, createSecretBox, hmacSha256Hex, sha256Hex } from './secrets.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fixedKey = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

describe('loadOrCreateKey', () => {
  test('the key file is made once with mode 0600, and the same key is read again', () => {
    const path = join(folder, 'deep', 'secret.key')
    const key = loadOrCreateKey(path)
    expect(key.length).toBe(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(`${base64(key)}\n`)
    expect(loadOrCreateKey(path)).toEqual(key)
    expect(loadOrCreateKey(join(folder, 'other.key'))).not.toEqual(key)
  })

  test.each([0o640, 0o604, 0o660, 0o644, 0o610])('a key file with mode %o is refused', (mode) => {
    const path = join(folder, `mode-${mode}.key`)
    loadOrCreateKey(path)
    chmodSync(path, mode)
    expect(() => loadOrCreateKey(path)).toThrow(/chmod 600/)
    chmodSync(path, 0o400)
    expect(loadOrCreateKey(path).length).toBe(32)
  })

  test.each([
    ['empty', ''],
    ['31 bytes', base64(fixedKey(1).subarray(1))],
    ['33 bytes', base64(new Uint8Array(33))],
    ['not base64', `${'*'.repeat(4)}${base64(fixedKey(1))}`],
    ['two keys', `${base64(fixedKey(1))}\n${base64(fixedKey(2))}`],
  ])('a key file (%s) is refused and left as it is', (name, text) => {
    const path = join(folder, `bad-${name.replaceAll(' ', '-')}.key`)
    writeFileSync(path, text, { mode: 0o600 })
    expect(() => loadOrCreateKey(path)).toThrow(/32 bytes/)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(() => loadOrCreateKey(join(folder, 'absent.key'), { configuredBase64: text })).toThrow(/32 bytes/)
  })

  test('a directory in place of the key file is refused', () => {
    const path = join(folder, 'directory.key')
    mkdirSync(path, { mode: 0o700 })
    expect(() => loadOrCreateKey(path)).toThrow()
  })

  test('a configured key needs no file and makes none, but is refused if a file has another key', () => {
    const path = join(folder, 'configured.key')
    expect(loadOrCreateKey(path, { configuredBase64: base64(fixedKey(3)) })).toEqual(fixedKey(3))
    expect(() => statSync(path)).toThrow()
    writeFileSync(path, base64(fixedKey(3)), { mode: 0o600 })
    expect(loadOrCreateKey(path, { configuredBase64: base64(fixedKey(3)) })).toEqual(fixedKey(3))
    expect(() => loadOrCreateKey(path, { configuredBase64: base64(fixedKey(4)) })).toThrow(/differs/)
  })

  test('the message of a refused key does not repeat it', () => {
    const text = base64(fixedKey(9).subarray(1))
    try {
      loadOrCreateKey(join(folder, 'x.key'), { configuredBase64: text })
      expect.unreachable()
    } catch (error) {
      expect(String(error)).not.toContain(text)
    }
  })
})

describe('secret box', () => {
  const box = createSecretBox(fixedKey(1))

  test('a secret box opens what it sealed: text, bytes, an empty text and three megabytes', () => {
    expect(box.openText(box.seal('pässword 🔑', 'c'), 'c')).toBe('pässword 🔑')
    expect(box.openText(box.seal('\uFEFFmark', 'c'), 'c')).toBe('\uFEFFmark')
    expect(box.open(box.seal(new Uint8Array([0, 255, 7]), 'c'), 'c')).toEqual(new Uint8Array([0, 255, 7]))
    expect(box.open(box.seal('', ''), '')).toEqual(new Uint8Array())
    const much = new Uint8Array(3_000_000).map((_, n) => n % 251)
    expect(sha256Hex(box.open(box.seal(much, 'c'), 'c'))).toBe(sha256Hex(much))
  })

  test('a sealed value is opened by a later process with the same key, and not with another key', () => {
    const sealed = box.seal('x', 'c')
    expect(createSecretBox(fixedKey(1)).openText(sealed, 'c')).toBe('x')
    expect(() => createSecretBox(fixedKey(2)).open(sealed, 'c')).toThrow(/cannot be opened/)
  })

  test('the same text is sealed to different bytes each time, which do not contain it', () => {
    const sealed = Array.from({ length: 200 }, () => Buffer.from(box.seal('secret-token', 'c')))
    expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(200)
    expect(sealed.some((bytes) => bytes.includes('secret'))).toBe(false)
  })

  test('a sealed value with another context, a flipped byte or a cut end is refused', () => {
    const sealed = box.seal('plain', 'tenant-a/row-1')
    expect(() => box.open(sealed, 'tenant-b/row-1')).toThrow(/cannot be opened/)
    for (let at = 0; at < sealed.length; at++) {
      const flipped = Uint8Array.from(sealed, (byte, n) => (n === at ? byte ^ 1 : byte))
      expect(() => box.open(flipped, 'tenant-a/row-1')).toThrow(/cannot be opened/)
      expect(() => box.open(sealed.subarray(0, at), 'tenant-a/row-1')).toThrow(/cannot be opened/)
    }
  })

  test('a secret box refuses a key of the wrong length', () => {
    expect(() => createSecretBox(new Uint8Array(31))).toThrow(/32 bytes/)
  })

  test('signatures are bound to key, purpose and data', () => {
    const signature = box.sign('cursor', 'data')
    expect(signature).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(box.verify('cursor', 'data', signature)).toBe(true)
    expect(createSecretBox(fixedKey(1)).verify('cursor', 'data', signature)).toBe(true)
    expect(createSecretBox(fixedKey(2)).verify('cursor', 'data', signature)).toBe(false)
    expect(box.verify('invite', 'data', signature)).toBe(false)
    expect(box.verify('cursor', 'datb', signature)).toBe(false)
    for (const other of ['', `${signature}=`, signature.slice(1), ` ${signature}`]) {
      expect(box.verify('cursor', 'data', other)).toBe(false)
    }
    expect(Buffer.from(signature, 'base64url')).not.toEqual(createHmac('sha256', fixedKey(1)).update('data').digest())
  })

  test('the signatures of 400 purposes all differ, and each is verified', () => {
    const signatures = Array.from({ length: 400 }, (_, n) => box.sign(`purpose-${n}`, 'data'))
    expect(new Set(signatures).size).toBe(400)
    expect(signatures.every((signature, n) => box.verify(`purpose-${n}`, 'data', signature))).toBe(true)
  })
})

describe('digests', () => {
  test('SHA-256 and HMAC-SHA256 give the known digests', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256Hex(new TextEncoder().encode('abc'))).toBe(sha256Hex('abc'))
    // RFC 4231, test case 2
    expect(hmacSha256Hex('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  test('constantTimeEqual compares texts of any length', () => {
    expect(constantTimeEqual('ä', 'ä')).toBe(true)
    expect(constantTimeEqual('', '')).toBe(true)
    expect(constantTimeEqual('a', 'b')).toBe(false)
    expect(constantTimeEqual('a', 'aa')).toBe(false)
  })
})

test('a firm’s box opens only its own values, neither another firm’s nor those of the installation', () => {
  const key = new Uint8Array(32).fill(7)
  const box = createSecretBox(key)
  const [one, two] = [box.forFirm('tnt_1'), box.forFirm('tnt_2')]
  const sealed = one.seal('secret', 'a')
  expect(sealed[0]).toBe(2)
  expect(one.openText(sealed, 'a')).toBe('secret')
  expect(createSecretBox(key).forFirm('tnt_1').openText(sealed, 'a')).toBe('secret')
  for (const other of [two, box]) expect(() => other.open(sealed, 'a')).toThrow()
  expect(() => one.open(box.seal('secret', 'a'), 'a')).toThrow()
  expect(new Set([box, one, two].map((each) => each.sign('audit', 'x'))).size).toBe(3)
})
