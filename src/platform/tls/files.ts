import { readFileSync, statSync } from 'node:fs'
import type { Log } from '../log.ts'
import { type Certificate, CertificateError, readCertificate } from './certificate.ts'

/** The files of a certificate and its key, which another program renews. */
type CertificateFiles = {
  /** Reads both files; throws CertificateError. */
  read(): Certificate
  /** Returns the certificate if the files changed since the last call and can be used; a bad one is logged once. */
  look(): Certificate | null
  lastError(): string | null
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
    throw new CertificateError(`${path} cannot be read${why}`, { cause })
  }
}

/** Returns a text that changes with a file. It follows links, since tools that renew make one to the newest file. */
function readFileState(path: string): string {
  const { mtimeMs = 0, size = 0, ino = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return `${mtimeMs} ${size} ${ino}`
}

/** Opens the files of a certificate, to read them again when they change. */
export function openCertificateFiles(paths: { cert: string; key: string }, log: Log): CertificateFiles {
  let trace = ''
  let content = ''
  let lastError: string | null = null
  const read = (): Certificate => {
    const [cert, key] = [readFile(paths.cert), readFile(paths.key)]
    content = cert + key
    return readCertificate(cert, key)
  }
  const traceNow = () => `${readFileState(paths.cert)} ${readFileState(paths.key)}`
  return {
    read: () => {
      trace = traceNow()
      return read()
    },
    look: () => {
      try {
        const now = traceNow()
        if (now === trace) return null
        trace = now
        const before = content
        const certificate = read()
        const isSame = content === before && lastError === null
        lastError = null
        return isSame ? null : certificate
      } catch (error) {
        lastError = error instanceof Error ? error.message : String(error)
        log.error({ file: paths.cert, why: lastError }, 'the new certificate cannot be used; the old one stays')
        return null
      }
    },
    lastError: () => lastError,
  }
}
