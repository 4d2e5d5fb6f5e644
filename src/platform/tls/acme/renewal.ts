import { DAY, HOUR } from '../../clock.ts'
import { type Certificate, covers } from '../certificate.ts'

/** The extension that names the key of the authority, and the first byte of the part that holds its identifier. */
const AUTHORITY_KEY = Buffer.from('0603551d23', 'hex')
const KEY_IDENTIFIER = 0x80

/**
 * What the renewal window of a certificate is asked by (RFC 9773 §4.1): the identifier of the authority's key and the
 * serial number. Null for a certificate without such an identifier.
 */
export function renewalId({ der, serial }: Pick<Certificate, 'der' | 'serial'>): string | null {
  const bytes = Buffer.from(der)
  const at = bytes.indexOf(AUTHORITY_KEY)
  // after the name of the extension: octets, in them a sequence, in it the identifier; each shorter than 128 bytes
  const inner = at + AUTHORITY_KEY.length
  if (at < 0 || bytes[inner] !== 0x04 || bytes[inner + 2] !== 0x30 || bytes[inner + 4] !== KEY_IDENTIFIER) return null
  const size = bytes[inner + 5] ?? 0
  const even = serial.length % 2 === 0 ? serial : `0${serial}`
  // as DER writes it: a number whose first bit is set gets a zero before it, or it would be negative
  const number = Buffer.from(Number.parseInt(even.slice(0, 2), 16) > 0x7f ? `00${even}` : even, 'hex')
  return `${bytes.subarray(inner + 6, inner + 6 + size).toString('base64url')}.${number.toString('base64url')}`
}

/** When a certificate is renewed where nobody says otherwise: at two thirds of its life. */
export const twoThirds = ({ notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>): number =>
  notBefore + ((notAfter - notBefore) * 2) / 3

/**
 * Whether to try again later rather than do without one of these names: the certificate that is there covers it and
 * is far from its end, and what keeps the authority from vouching for it now may be a passing trouble.
 */
export const mayWait = (
  certificate: Pick<Certificate, 'notBefore' | 'notAfter' | 'names'> | null,
  names: readonly string[],
  now: number,
): boolean =>
  certificate !== null &&
  now < certificate.notBefore + ((certificate.notAfter - certificate.notBefore) * 5) / 6 &&
  names.some((name) => covers(certificate.names, name))

/** The limits of authorities last a week at most; whoever asks for more patience than that is not meant. */
const MOST_PATIENCE = 7 * DAY

/** How long to wait after failures in a row: an hour, doubled up to a day, and as long as was asked for, to a week. */
export const backOff = (failures: number, asked: number | null = null): number =>
  Math.max(Math.min(HOUR * 2 ** Math.max(0, failures - 1), DAY), Math.min(asked ?? 0, MOST_PATIENCE))
