import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { DAY, toIso } from '../clock.ts'

// This file has the part of ASN.1 that a certificate request and a self-signed certificate need: X.690, RFC 2986, 5280.

const SEQUENCE = 0x30
const SET = 0x31
const OCTETS = 0x04
const OID = 0x06
const INTEGER = 0x02
const BITS = 0x03
const BOOLEAN = 0x01
const UTF8 = 0x0c
const TIME = 0x18
/** The tag of a DNS name in a list of alternative names. */
const DNS_NAME = 0x82
/** The tags of parts with a number in place of a type: [0] and [3]. */
const PLACE_0 = 0xa0
const PLACE_3 = 0xa3

function length(size: number): number[] {
  if (size < 0x80) return [size]
  const bytes: number[] = []
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0x80 | bytes.length, ...bytes]
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag, ...length(body.length)), body])
}
const text = (value: string): Uint8Array => Buffer.from(value, 'latin1')
const hex = (value: string): Uint8Array => Buffer.from(value, 'hex')
const integer = (bytes: Uint8Array): Uint8Array => der(INTEGER, (bytes[0] ?? 0) > 0x7f ? hex('00') : hex(''), bytes)
const bits = (bytes: Uint8Array): Uint8Array => der(BITS, hex('00'), bytes)

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OID, hex('2a8648ce3d040302')))
const SUBJECT_ALT_NAME = der(OID, hex('551d11'))
const BASIC_CONSTRAINTS = der(OID, hex('551d13'))
const EXTENSION_REQUEST = der(OID, hex('2a864886f70d01090e'))
const COMMON_NAME = der(OID, hex('550403'))

const alternativeNames = (names: readonly string[]): Uint8Array =>
  der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTETS, der(SEQUENCE, ...names.map((name) => der(DNS_NAME, text(name))))))

const publicPart = (key: KeyObject): Uint8Array => createPublicKey(key).export({ type: 'spki', format: 'der' })

const signed = (key: KeyObject, body: Uint8Array): Uint8Array =>
  der(SEQUENCE, body, ECDSA_WITH_SHA256, bits(sign('sha256', body, key)))

const pem = (label: string, bytes: Uint8Array): string => {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** Makes a key on the curve P-256, as PEM. */
export function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Makes a request for a certificate of these DNS names, as DER, signed with the key (PEM, on P-256). */
export function certificateRequest(names: readonly string[], keyPem: string): Uint8Array {
  const key = createPrivateKey(keyPem)
  const extensions = der(SEQUENCE, EXTENSION_REQUEST, der(SET, der(SEQUENCE, alternativeNames(names))))
  return signed(key, der(SEQUENCE, integer(hex('00')), der(SEQUENCE), publicPart(key), der(PLACE_0, extensions)))
}

const time = (ms: number): Uint8Array => der(TIME, text(`${toIso(ms).replace(/\D/g, '').slice(0, 14)}Z`))

/**
 * Makes a self-signed certificate as PEM, which no browser trusts. It is used until the authority has issued one, so
 * that the port answers from the start.
 */
export function selfSigned(
  names: readonly string[],
  keyPem: string,
  { from, days }: { from: number; days: number },
): string {
  const key = createPrivateKey(keyPem)
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, text('Brokerbase, not yet certified')))))
  // with 01 as its first byte the number is positive and has no leading zeros
  const serial = integer(Buffer.concat([hex('01'), randomBytes(15)]))
  const isNoAuthority = der(SEQUENCE, BASIC_CONSTRAINTS, der(BOOLEAN, hex('ff')), der(OCTETS, der(SEQUENCE)))
  const body = der(
    SEQUENCE,
    der(PLACE_0, integer(hex('02'))),
    serial,
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time(from), time(from + days * DAY)),
    name,
    publicPart(key),
    der(PLACE_3, der(SEQUENCE, alternativeNames(names), isNoAuthority)),
  )
  return pem('CERTIFICATE', signed(key, body))
}
