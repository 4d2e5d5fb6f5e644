import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** Returns base64url without padding, which URLs and signatures use. */
export const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url')

/** The public part of an account's key (RFC 7517), its members in the order that thumbprints need. */
type Jwk = { crv: string; kty: string; x: string; y: string }

/** The key of an account, with its public part and its signatures. */
export type AccountKey = {
  jwk: Jwk
  /** The hash of the key (RFC 7638), which names it in the answers of challenges. */
  thumbprint: string
  /** Returns a flattened JWS (RFC 7515) with ES256 over a payload; an empty text is for a call that only reads. */
  sign(header: Record<string, unknown>, payload: unknown): string
}

/** Reads an account's key from PEM; throws if it is not on the curve P-256. */
export function readAccountKey(pem: string): AccountKey {
  const key = createPrivateKey(pem)
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' })
  if (crv !== 'P-256' || kty !== 'EC' || x === undefined || y === undefined)
    throw new Error('the key of the ACME account is not on the curve P-256')
  const jwk: Jwk = { crv, kty, x, y }
  return {
    jwk,
    thumbprint: createHash('sha256').update(JSON.stringify(jwk)).digest('base64url'),
    sign: (header, payload) => {
      const head = base64url(JSON.stringify({ alg: 'ES256', ...header }))
      const body = payload === '' ? '' : base64url(JSON.stringify(payload))
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' })
      return JSON.stringify({ protected: head, payload: body, signature: base64url(signature) })
    },
  }
}
