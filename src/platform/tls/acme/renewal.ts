import { DAY, HOUR } from '../../clock.ts'
import { type Certificate, covers } from '../certificate.ts'

/** The extension with the key of the authority, and the first byte of the part that has its identifier. */
const AUTHORITY_KEY = Buffer.from('0603551d23', 'hex')
const KEY_IDENTIFIER = 0x80

/**
 * Returns the id for asking for the renewal window (RFC 9773 §4.1): the identifier of the authority's key and the
 * serial number of the certificate. Null if the certificate has no such identifier.
 */
export function renewalId({ der, serial }: Pick<Certificate, 'der' | 'serial'>): string | null {
  const bytes = Buffer.from(der)
  const at = bytes.indexOf(AUTHORITY_KEY)
  // behind the extension's name an octet string holds a sequence, which holds the identifier; none has over 127 bytes
  const inner = at + AUTHORITY_KEY.length
  if (at < 0 || bytes[inner] !== 0x04 || bytes[inner + 2] !== 0x30 || bytes[inner + 4] !== KEY_IDENTIFIER) return null
  const size = bytes[inner + 5] ?? 0
  const even = serial.length % 2 === 0 ? serial : `0${serial}`
  // in DER a number whose first bit is set would be negative, so it gets a zero byte before it
  const number = Buffer.from(Number.parseInt(even.slice(0, 2), 16) > 0x7f ? `00${even}` : even, 'hex')
  return `${bytes.subarray(inner + 6, inner + 6 + size).toString('base64url')}.${number.toString('base64url')}`
}

/** Returns when a certificate is renewed unless the authority wants it earlier: at two thirds of its life. */
export const twoThirds = ({ notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>): number =>
  notBefore + ((notAfter - notBefore) * 2) / 3

/**
 * Returns whether to wait for refused names: the present certificate covers one of them and is far from its end, and
 * the reason for the refusal may be temporary. Otherwise the next certificate is requested without these names.
 */
export const shouldWaitForNames = (
  certificate: Pick<Certificate, 'notBefore' | 'notAfter' | 'names'> | null,
  names: readonly string[],
  now: number,
): boolean =>
  certificate !== null &&
  now < certificate.notBefore + ((certificate.notAfter - certificate.notBefore) * 5) / 6 &&
  names.some((name) => covers(certificate.names, name))

/** The limits of authorities last a week at most, so a longer Retry-After is shortened to this. */
const MOST_PATIENCE = 7 * DAY

/**
 * Returns the wait (ms) after failures in a row: an hour, doubled up to a day. A longer `asked` counts, up to a week.
 */
export const backOff = (failures: number, asked: number | null = null): number =>
  Math.max(Math.min(HOUR * 2 ** Math.max(0, failures - 1), DAY), Math.min(asked ?? 0, MOST_PATIENCE))
