import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

export const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** The first byte of a value that is sealed with the key of the installation, and of one with the key of a firm. */
const BOX_VERSION = 1
const FIRM_VERSION = 2

export type SecretBox = {
  /** Returns version byte, nonce, cipher text and tag. The value is opened with the same context only. */
  seal(plain: string | Uint8Array, context: string): Uint8Array
  /** Returns the plain bytes; throws if the key, the context or any byte differs. */
  open(sealed: Uint8Array, context: string): Uint8Array
  /** As `open`, for UTF-8 text. */
  openText(sealed: Uint8Array, context: string): string
  /** Returns the HMAC-SHA256 of `data` as base64url, with another key for each purpose. */
  sign(purpose: string, data: string): string
  /** Returns, in constant time, whether `signature` is `sign(purpose, data)`. */
  verify(purpose: string, data: string, signature: string): boolean
}

/** The secret box of the installation, which makes those of the firms. */
export type MasterBox = SecretBox & {
  /**
   * Returns the secret box of a firm. Its key is derived from the key of the installation and the id of the firm, so
   * that a firm can leave with its key and without any other. src/README “Recovery key”.
   */
  forFirm(tenantId: string): SecretBox
  /** Returns a key for the digests of one purpose, for a caller that makes many; it is never stored. */
  digestKey(purpose: string): Uint8Array
}

const refuse = (): never => {
  throw new Error('The sealed value cannot be opened: other key, other context, or damaged.')
}

function createBox(key: Uint8Array, version: number, scope: string): SecretBox {
  const subkey = (info: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `${scope}/${info}`, keyBytes))
  const sealKey = subkey('seal')
  const signKeys = new Map<string, Buffer>()

  const signKey = (purpose: string): Buffer => {
    const known = signKeys.get(purpose)
    if (known !== undefined) return known
    const made = subkey(`sign/${purpose}`)
    // purposes are a few constants; the limit protects memory if one ever contains an id
    if (signKeys.size < 256) signKeys.set(purpose, made)
    return made
  }

  const additional = (context: string): Buffer => Buffer.concat([Buffer.of(version), Buffer.from(context, 'utf8')])

  const open = (sealed: Uint8Array, context: string): Uint8Array => {
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

/** The derived keys of at most this many firms are kept in memory. */
const MAX_FIRMS = 10_000

/**
 * Makes authenticated encryption (AES-256-GCM) and signatures with subkeys (HKDF-SHA256) of one master key, all of it
 * synchronous. Throws if the key is not 32 bytes long.
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
      const made = createBox(firmKey, FIRM_VERSION, 'brokerbase/v2')
      if (firms.size < MAX_FIRMS) firms.set(tenantId, made)
      return made
    },
    digestKey: (purpose) => new Uint8Array(hkdfSync('sha256', key, '', `brokerbase/v1/digest/${purpose}`, keyBytes)),
  }
}

/** Returns the SHA-256 of text (UTF-8) or bytes in lowercase hex. */
export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Returns the HMAC-SHA256 of text (UTF-8) or bytes in lowercase hex. */
export const hmacSha256Hex = (key: string | Uint8Array, data: string | Uint8Array): string =>
  createHmac('sha256', key).update(data).digest('hex')

/** Returns whether two texts are equal; its time reveals neither where they differ nor how long the secret one is. */
export const constantTimeEqual = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()
  return timingSafeEqual(digest(a), digest(b))
}
