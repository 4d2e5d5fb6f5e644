import { randomBytes, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { keyBytes } from './secrets.ts'

/** Decodes the 32 bytes of a key from base64 text; throws an error with its `source` if the text is not a key. */
export const decodeKey = (text: string, source: string): Uint8Array => {
  const trimmed = text.trim()
  const key = Buffer.from(trimmed, 'base64')
  // Buffer skips what is not base64, so only text that encodes back to the same is accepted.
  if (key.length !== keyBytes || key.toString('base64').replace(/=+$/, '') !== trimmed.replace(/=+$/, '')) {
    throw new Error(`${source} must hold exactly ${keyBytes} bytes as base64 text; it does not.`)
  }
  return new Uint8Array(key)
}

const errorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * Reads the key in a file of base64 text; undefined if there is no file. Throws an error for the operator if other
 * users can read the file, or it has no key.
 */
export const readKeyFile = (path: string): Uint8Array | undefined => {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error(`The key file ${path} is not a regular file.`)
    if ((stat.mode & 0o077) !== 0) {
      throw new Error(`The key file ${path} can be read by other users of this machine; run: chmod 600 ${path}`)
    }
    return decodeKey(readFileSync(file, 'utf8'), `The key file ${path}`)
  } finally {
    closeSync(file)
  }
}

const syncDirectory = (path: string): void => {
  const directory = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

const createKeyFile = (path: string): Uint8Array | undefined => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const key = new Uint8Array(randomBytes(keyBytes))
  let file: number
  try {
    file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined
    throw error
  }
  try {
    fchmodSync(file, 0o600)
    writeSync(file, `${Buffer.from(key).toString('base64')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  // Without this, a power cut can keep the data sealed with the key and lose the key's name.
  syncDirectory(dirname(path))
  return key
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * Returns the 32-byte master key: the configured base64 text if given, otherwise that of the file (base64 text, mode
 * 0600). A missing file is made, but never beside one of the `sealed` files, which only the lost key could open. Throws
 * an error for the operator then, and if a key has a wrong length, others can read the file, or the configured key
 * differs from the one in the file.
 */
export const loadOrCreateKey = (
  path: string,
  { configuredBase64, sealed = [] }: { configuredBase64?: string | undefined; sealed?: readonly string[] } = {},
): Uint8Array => {
  if (configuredBase64 !== undefined) {
    const configured = decodeKey(configuredBase64, 'The configured secret key')
    const stored = readKeyFile(path)
    if (stored !== undefined && !sameBytes(stored, configured)) {
      throw new Error(
        `The configured secret key differs from the key file ${path}, so stored secrets could not be opened. Keep only the right one.`,
      )
    }
    return configured
  }
  const known = readKeyFile(path)
  if (known !== undefined) return known
  const orphan = sealed.find((file) => existsSync(file))
  if (orphan !== undefined) {
    throw new Error(
      `The key file ${path} is missing, but ${orphan} is there and is sealed with it. Put the key back from your backup, or give it in the configuration; a new key could open nothing.`,
    )
  }
  const key = createKeyFile(path) ?? readKeyFile(path)
  if (key === undefined) throw new Error(`The key file ${path} disappeared while it was being opened.`)
  return key
}
