import { Type } from '@sinclair/typebox'

/** What a child that writes the files of one firm is given. */
export const FirmFilesIn = Type.Object({
  database: Type.String(),
  /** Whether no process writes to the database: a standby's copy. */
  isStill: Type.Boolean(),
  tenantId: Type.String(),
  /** The directory of the night. */
  directory: Type.String(),
  withPeople: Type.Boolean(),
})

/** A file with its path below the night. */
const FileOut = Type.Object({
  path: Type.String(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
})

/** The sum of one account of the ledger in one currency, of the same moment as the files. */
const LedgerSum = Type.Object({
  account: Type.String(),
  currency: Type.String(),
  entries: Type.Integer(),
  /** In minor units, as text: it may be more than a number holds. */
  minor: Type.String(),
})

/** What a child answers: the moment of its one read, the files and the ledger. */
export const FirmFilesOut = Type.Object({
  readAt: Type.String(),
  timeZone: Type.String(),
  schema: Type.Integer(),
  files: Type.Array(FileOut),
  ledger: Type.Array(LedgerSum),
})
