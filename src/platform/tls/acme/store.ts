import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Certificate, readCertificate } from '../certificate.ts'
import { makeKey } from '../der.ts'
import { readIfThere, writeSecretFile } from '../secret-file.ts'

/** What is remembered between starts, so that a server that is restarted again and again asks no more often. */
export const Memory = Type.Object({
  /** Failures in a row of the whole, and when the next try may be (milliseconds). */
  failures: Type.Integer({ minimum: 0 }),
  notBefore: Type.Number(),
  /** Names that the authority would not vouch for, and when they may be tried again. */
  aside: Type.Record(
    Type.String(),
    Type.Object({ failures: Type.Integer({ minimum: 1 }), until: Type.Number(), why: Type.String() }),
  ),
  /** When each of the last tries failed: an authority counts them by the hour. */
  failedAt: Type.Array(Type.Number()),
  lastError: Type.Optional(Type.String()),
  /** When the authority wants the certificate with this serial number renewed, and when to ask it again. */
  window: Type.Optional(Type.Object({ serial: Type.String(), renewAt: Type.Number(), askAt: Type.Number() })),
})
export type Memory = Static<typeof Memory>

const EMPTY: Memory = { failures: 0, notBefore: 0, aside: {}, failedAt: [] }

/** What is kept of one authority in `DATA_DIR/tls`; the files are their owner's alone. */
export type AcmeStore = {
  accountKey(): string
  certificate(): Certificate | null
  keep(certificate: Certificate): void
  memory(): Memory
  /** Remembers it in this process in any case; throws where it cannot be written down. */
  remember(memory: Memory): void
}

/** Opens what is kept of the authority with this directory; each has a folder of its own. */
export function openAcmeStore(dataDir: string, directory: string): AcmeStore {
  const { host, pathname } = new URL(directory)
  const folder = join(dataDir, 'tls', `${host}${pathname}`.replace(/[^a-z0-9.-]+/gi, '_'))
  for (const path of [join(dataDir, 'tls'), folder]) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    chmodSync(path, 0o700)
  }
  const accountFile = join(folder, 'account.key')
  // key and chain in one file: two of them could belong to different certificates after a fall
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
