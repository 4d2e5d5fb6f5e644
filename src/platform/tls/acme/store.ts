import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Certificate, readCertificate } from '../certificate.ts'
import { makeKey } from '../der.ts'
import { readIfThere, writeSecretFile } from '../secret-file.ts'

/** The memory that is stored between starts, so that a server that restarts often does not ask more often. */
export const Memory = Type.Object({
  /** The number of attempts that failed in a row, and when the next one may be (milliseconds). */
  failures: Type.Integer({ minimum: 0 }),
  notBefore: Type.Number(),
  /** The names that the authority refused, and until when they are left out. */
  aside: Type.Record(
    Type.String(),
    Type.Object({ failures: Type.Integer({ minimum: 1 }), until: Type.Number(), why: Type.String() }),
  ),
  /** The times of the last failures, since an authority limits their number in an hour. */
  failedAt: Type.Array(Type.Number()),
  lastError: Type.Optional(Type.String()),
  /** The time to renew the certificate with this serial number, and when to ask the authority again. */
  window: Type.Optional(Type.Object({ serial: Type.String(), renewAt: Type.Number(), askAt: Type.Number() })),
})
export type Memory = Static<typeof Memory>

const EMPTY: Memory = { failures: 0, notBefore: 0, aside: {}, failedAt: [] }

/** The files of one authority in `DATA_DIR/tls`, which only their owner can read. */
export type AcmeStore = {
  accountKey(): string
  certificate(): Certificate | null
  keep(certificate: Certificate): void
  memory(): Memory
  /** Keeps the memory in this process in any case; throws if the file cannot be written. */
  remember(memory: Memory): void
}

/** Opens the files of the authority with this directory URL; each authority has another folder. */
export function openAcmeStore(dataDir: string, directory: string): AcmeStore {
  const { host, pathname } = new URL(directory)
  const folder = join(dataDir, 'tls', `${host}${pathname}`.replace(/[^a-z0-9.-]+/gi, '_'))
  for (const path of [join(dataDir, 'tls'), folder]) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    chmodSync(path, 0o700)
  }
  const accountFile = join(folder, 'account.key')
  // key and chain are in one file, since two files could belong to different certificates after a crash
  const certificateFile = join(folder, 'certificate.pem')
  const memoryFile = join(folder, 'state.json')
  let remembered: Memory | undefined
  const read = (): Memory => {
    try {
      const kept = readIfThere(memoryFile)
      return kept === undefined ? EMPTY : Value.Decode(Memory, JSON.parse(kept))
    } catch {
      return EMPTY
    }
  }
  return {
    accountKey: () => {
      const kept = readIfThere(accountFile)
      if (kept !== undefined) return kept
      const made = makeKey()
      writeSecretFile(accountFile, made)
      return made
    },
    certificate: () => {
      const [, key = '', cert = ''] =
        /^(.*?-----END PRIVATE KEY-----\n)(.*)$/s.exec(readIfThere(certificateFile) ?? '') ?? []
      return cert === '' ? null : readCertificate(cert, key)
    },
    keep: ({ cert, key }) => writeSecretFile(certificateFile, `${key}${cert}`),
    memory: () => {
      remembered ??= read()
      return remembered
    },
    remember: (memory) => {
      remembered = memory
      writeSecretFile(memoryFile, `${JSON.stringify(memory, null, 2)}\n`)
    },
  }
}
