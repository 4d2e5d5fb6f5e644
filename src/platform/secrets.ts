import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
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

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Sealed under the box's key; under a firm's own. */
const BOX_VERSION = 1
const FIRM_VERSION = 2

/** The 32 bytes of a key as base64 text; throws, naming its source, where the text is none. */
export const decodeKey = (text: string, source: string): Uint8Array => {
  const trimmed = text.trim()
  const key = Buffer.from(trimmed, 'base64')
  // Buffer skips what is not base64, so only text that comes out the same again is taken.
  if (key.length !== keyBytes || key.toString('base64').replace(/=+$/, '') !== trimmed.replace(/=+$/, '')) {
    throw new Error(`${source} must hold exactly ${keyBytes} bytes as base64 text; it does not.`)
  }
  return new Uint8Array(key)
}

const errorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * The key in a file of base64 text; undefined where there is no file. Throws in words where others can read it, or it
 * holds no key.
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
  // Without this a power cut can keep the data sealed with the key and lose the key's name.
  syncDirectory(dirname(path))
  return key
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * The 32-byte master key: the configured base64 text if given, else the file (base64 text, mode 0600), made when
 * absent; never made beside any of the `sealed` files, whose content only the lost key opens. Throws, in words for
 * the operator, on that, a wrong length, a file others can read, or a configured key that differs from the file's.
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

export type SecretBox = {
  /** Plain text or bytes → version byte, nonce, cipher text, tag. The context must be the same to open. */
  seal(plain: string | Uint8Array, context: string): Uint8Array
  /** The plain bytes; throws when the key, the context or any byte differs. */
  open(sealed: Uint8Array, context: string): Uint8Array
  /** As `open`, for UTF-8 text. */
  openText(sealed: Uint8Array, context: string): string
  /** HMAC-SHA256 of `data` as base64url, with a key of its own for each purpose. */
  sign(purpose: string, data: string): string
  /** Whether `signature` is `sign(purpose, data)`; in constant time. */
  verify(purpose: string, data: string, signature: string): boolean
}

/** The box of the whole installation, from which each firm's own is made. */
export type MasterBox = SecretBox & {
  /**
   * A firm's own box, under a key derived from the box's key and the firm's id, so that
   * a firm can leave with its key and nobody else's. It also opens what the
   * installation's box sealed for the firm before there were firm keys. src/README “Recovery key”.
   */
  forFirm(tenantId: string): SecretBox
}

const refuse = (): never => {
  throw new Error('The sealed value cannot be opened: other key, other context, or damaged.')
}

/** One box under one 32-byte key. `older` opens what this version did not seal. */
function createBox(key: Uint8Array, version: number, scope: string, older?: SecretBox): SecretBox {
  const subkey = (info: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `${scope}/${info}`, keyBytes))
  const sealKey = subkey('seal')
  const signKeys = new Map<string, Buffer>()

  const signKey = (purpose: string): Buffer => {
    const known = signKeys.get(purpose)
    if (known !== undefined) return known
    const made = subkey(`sign/${purpose}`)
    // Purposes are a handful of constants; the bound is for the day somebody puts an id into one.
    if (signKeys.size < 256) signKeys.set(purpose, made)
    return made
  }

  const additional = (context: string): Buffer => Buffer.concat([Buffer.of(version), Buffer.from(context, 'utf8')])

  const open = (sealed: Uint8Array, context: string): Uint8Array => {
    if (older !== undefined && sealed[0] !== version) return older.open(sealed, context)
    if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== version) return refuse()
    const end = sealed.length - tagBytes
    const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(1, 1 + nonceBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(additional(context))
    decipher.setAuthTag(sealed.subarray(end))
    const start = decipher.update(sealed.subarray(1 + nonceBytes, end))
    try {
      return new Uint8Array(Buffer.concat([start, decipher.final()]))
    } catch {
      return refuse()
    }
  }

  const sign = (purpose: string, data: string): string =>
    createHmac('sha256', signKey(purpose)).update(data, 'utf8').digest('base64url')

  return {
    seal: (plain, context) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce, {
        authTagLength: tagBytes,
      })
      cipher.setAAD(additional(context))
      const start = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
      return new Uint8Array(Buffer.concat([Buffer.of(version), nonce, start, cipher.final(), cipher.getAuthTag()]))
    },
    open,
    openText: (sealed, context) =>
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(open(sealed, context)),
    sign,
    verify: (purpose, data, signature) => constantTimeEqual(sign(purpose, data), signature),
  }
}

/** Whether a value was sealed with the key of the whole installation, as before firms had keys of their own. */
export const isSealedForAll = (sealed: Uint8Array): boolean => sealed[0] === BOX_VERSION

/** Firms whose keys are kept derived; one of a deleted firm costs nothing. */
const MAX_FIRMS = 10_000

/**
 * Authenticated encryption (AES-256-GCM) and signatures under
 * subkeys of one 32-byte master key (HKDF-SHA256). Synchronous.
 */
export const createSecretBox = (key: Uint8Array): MasterBox => {
  if (key.length !== keyBytes) throw new Error(`The secret key must be ${keyBytes} bytes long.`)
  const box = createBox(key, BOX_VERSION, 'brokerbase/v1')
  const firms = new Map<string, SecretBox>()
  return {
    ...box,
    forFirm: (tenantId) => {
      const known = firms.get(tenantId)
      if (known !== undefined) return known
      const firmKey = new Uint8Array(hkdfSync('sha256', key, '', `brokerbase/v2/firm/${tenantId}`, keyBytes))
      const made = createBox(firmKey, FIRM_VERSION, 'brokerbase/v2', box)
      if (firms.size < MAX_FIRMS) firms.set(tenantId, made)
      return made
    },
  }
}

/** SHA-256 of text (UTF-8) or bytes, lowercase hex. */
export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** HMAC-SHA256 of text (UTF-8) or bytes, lowercase hex. */
export const hmacSha256Hex = (key: string | Uint8Array, data: string | Uint8Array): string =>
  createHmac('sha256', key).update(data).digest('hex')

/** Whether two texts are equal, in a time that tells neither where they differ nor how long the secret one is. */
export const constantTimeEqual = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()
  return timingSafeEqual(digest(a), digest(b))
}
