import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { hashPassword, isProof, prove, readChallenge } from './terminal5.challenge.ts'

const VECTORS = [
  {
    password: 'Password1',
    secret: '904ba8ecb16273d2f0ae9c3b8a023752',
    theirs: '73007dc7184747ce0f7c98516ef1c851',
    ourProof: '77fe51827f7fa69dd80fbec9aa33f1bb',
    ours: '4db98fec17aab4dc5a240bdc659e8395',
    theirProof: '1732021b1b332f51660b2b315eed3a35',
  },
  {
    password: 'Pä55-wörd€',
    secret: 'f6c82642d244ba1b5323567e89025d64',
    theirs: '00112233445566778899aabbccddeeff',
    ourProof: '74cfa85c037fde831c29bf63b02203ab',
    ours: 'ffeeddccbbaa99887766554433221100',
    theirProof: '3b76e0be7a4bf305808c301c79f67b05',
  },
] as const

const bytes = (hex: string): Buffer => readChallenge(hex) ?? Buffer.alloc(0)
const md5 = (...parts: (Uint8Array | string)[]): string => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

test('both vectors compute, and neither hashing text for bytes nor UTF-8 does', () => {
  for (const { password, secret, theirs, ourProof, ours, theirProof } of VECTORS) {
    const hashed = hashPassword(password)
    expect(hashed.toString('hex')).toBe(secret)
    expect(prove(hashed, bytes(theirs))).toBe(ourProof)
    expect(isProof(theirProof, hashed, bytes(ours))).toBe(true)
    expect(isProof(theirProof.toUpperCase(), hashed, bytes(ours))).toBe(true)
    expect(isProof(ourProof, hashed, bytes(ours))).toBe(false)
  }
  const [{ password, theirs, ourProof }] = VECTORS
  const ofText = md5(md5(md5(Buffer.from(password, 'utf16le')), 'WebAPI'), theirs)
  const ofUtf8 = prove(Buffer.from(md5(Buffer.from(md5(password), 'hex'), 'WebAPI'), 'hex'), bytes(theirs))
  expect([ofText, ofUtf8]).toEqual(['62d30204679ecba360c3f6169c4c4e9c', '88f76305f9676927bb90e08f5c35edd5'])
  expect([ofText, ofUtf8]).not.toContain(ourProof)
})

test('what is no challenge is none', () => {
  for (const text of ['', '73007dc7', 'g'.repeat(32), `${'0'.repeat(33)}`, undefined, 5, null])
    expect(readChallenge(text)).toBeUndefined()
  expect(isProof('', hashPassword('x'), bytes(VECTORS[0].ours))).toBe(false)
})
