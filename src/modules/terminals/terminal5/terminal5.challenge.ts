import { createHash, timingSafeEqual } from 'node:crypto'

const md5 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const BYTES = 16
const PURPOSE = Buffer.from('WebAPI', 'ascii')

/** Returns the 16 bytes of a challenge that was written as hexadecimal digits; undefined if it is none. */
export const readChallenge = (text: unknown): Buffer | undefined =>
  typeof text === 'string' && /^[0-9a-fA-F]{32}$/.test(text) ? Buffer.from(text, 'hex') : undefined

/** Returns the secret of a password, of which both sides prove that they know it. */
export const hashPassword = (password: string): Buffer => md5(md5(Buffer.from(password, 'utf16le')), PURPOSE)

/** Returns the proof that whoever made it knows the secret. */
export const prove = (secret: Uint8Array, challenge: Uint8Array): string => md5(secret, challenge).toString('hex')

/** Returns whether an answer proves to a challenge of ours that the other side knows the secret, in constant time. */
export function isProof(answer: unknown, secret: Uint8Array, challenge: Uint8Array): boolean {
  const given = readChallenge(answer)
  return given !== undefined && given.length === BYTES && timingSafeEqual(given, md5(secret, challenge))
}
