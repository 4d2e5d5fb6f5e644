import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { DAY } from '../clock.ts'

/** A certificate with its chain and its key as PEM, and the facts that were read from it. */
export type Certificate = {
  cert: string
  key: string
  /** The DNS names and addresses that it is for, in lower case. */
  names: readonly string[]
  notBefore: number
  notAfter: number
  /** The serial number in hexadecimal. */
  serial: string
  /** The DER form of the first certificate of the chain. */
  der: Uint8Array
}

/** A certificate cannot be used; `message` says why, for the operator. */
export class CertificateError extends Error {
  override name = 'CertificateError'
}

const ADDRESS = /^[\d.]+$|:/

const readNames = (x509: X509Certificate): string[] => {
  const alternatives = (x509.subjectAltName ?? '').split(', ').flatMap((entry) => {
    const [, name] = /^(?:DNS|IP Address):(.+)$/.exec(entry) ?? []
    return name === undefined ? [] : [name.toLowerCase()]
  })
  return [...new Set(alternatives)]
}

function read<T>(what: string, make: () => T): T {
  try {
    return make()
  } catch (cause) {
    throw new CertificateError(what, { cause })
  }
}

/** Reads a certificate and its key from PEM; throws CertificateError if they are malformed or do not match. */
export function readCertificate(cert: string, key: string): Certificate {
  const x509 = read('the certificate is no PEM certificate', () => new X509Certificate(cert))
  const privateKey: KeyObject = read('the key is no PEM private key without a passphrase', () => createPrivateKey(key))
  if (!x509.checkPrivateKey(privateKey)) throw new CertificateError('the key does not belong to the certificate')
  // only the first certificate of the chain was read so far, but a server with a damaged rest cannot open its port
  read('the certificate or the rest of its chain is damaged', () => createSecureContext({ cert, key }))
  return {
    cert,
    key,
    names: readNames(x509),
    notBefore: Date.parse(x509.validFrom),
    notAfter: Date.parse(x509.validTo),
    serial: x509.serialNumber,
    der: new Uint8Array(x509.raw),
  }
}

/** Returns whether one of the names is this host; the `*` of `*.example.com` matches one label. */
export const covers = (names: readonly string[], host: string): boolean => {
  const wanted = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (names.includes(wanted)) return true
  const dot = wanted.indexOf('.')
  return dot > 0 && !ADDRESS.test(wanted) && names.includes(`*${wanted.slice(dot)}`)
}

/** Returns a sentence for each defect of a certificate that is used nevertheless, for the operator. */
export function listCertificateDoubts(
  { names, notBefore, notAfter }: Certificate,
  host: string,
  now: number,
): string[] {
  return [
    ...(now > notAfter ? [`the certificate ended on ${new Date(notAfter).toISOString()}`] : []),
    ...(now < notBefore ? [`the certificate begins on ${new Date(notBefore).toISOString()}`] : []),
    ...(covers(names, host) ? [] : [`the certificate is not for ${host}, the host of the public address`]),
  ]
}

const WARNING_TIME = 14 * DAY

/** Returns whether to warn of the end: in the last two weeks, or in the last quarter of a shorter life. */
export const endsSoon = ({ notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>, now: number): boolean =>
  notAfter - now < Math.min(WARNING_TIME, (notAfter - notBefore) / 4)
