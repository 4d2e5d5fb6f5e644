import { sql } from 'drizzle-orm'
import { BLOBS, openBlobStore } from '../../../platform/db/blobs.ts'
import { statement } from '../../../platform/db/statement.ts'
import { strangersTo } from '../../../platform/seals/schema-objects.ts'
import { type MasterBox, sha256Hex } from '../../../platform/secrets.ts'
import { type Connection, openReader } from '../../../platform/sqlite.ts'
import { files } from '../../base/files/files.table.ts'
import { brokenParts } from './broken-parts.ts'
import type { CheckReport, MissingPaper } from './check.model.ts'

const ATTACHED = statement(
  sql`SELECT ${files.tenantId} AS tenantId, ${files.id} AS id, ${files.sha256} AS sha256
    FROM ${files} WHERE ${files.status} = 'attached'`,
)
type Attached = { tenantId: string; id: string; sha256: string | null }

/** Returns the bytes of a document; undefined if there are none, null if they cannot be opened. */
function openPaper(read: () => Uint8Array | undefined): Uint8Array | undefined | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Opens each attached document of a copy with the key, and compares it with its row. */
export function checkPapers(
  books: Connection,
  path: string,
  secrets: MasterBox,
): Pick<CheckReport, 'papers' | 'missing' | 'faults'> {
  const store = openReader(path)
  const broken = brokenParts(store, 'files.db')
  const strange = strangersTo(store, (scratch) => scratch.exec(BLOBS)).map((object) => `files.db: ${object}`)
  const faults = [...broken, ...strange]
  store.close()
  const missing: MissingPaper[] = []
  const found = { papers: 0, missing, faults }
  if (faults.length > 0) return found
  const blobs = openBlobStore(path, secrets)
  try {
    for (const { tenantId, id, sha256 } of books.all<Attached>(ATTACHED)) {
      const opened = openPaper(() => blobs.get(tenantId, id))
      if (opened === undefined) missing.push({ tenantId, fileId: id })
      else if (opened === null || (sha256 !== null && sha256Hex(opened) !== sha256))
        faults.push(`the paper ${id} of ${tenantId} does not open as it was`)
      else found.papers += 1
    }
  } finally {
    blobs.close()
  }
  return found
}
