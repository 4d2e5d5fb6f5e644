import type { MasterBox } from '../secrets.ts'
import { openWriter } from '../sqlite.ts'

/** Uploaded files, sealed, in a separate database (`files.db`), so that the backups include them. */
export type BlobStore = {
  /** Stores bytes durably before it returns, and replaces an existing key. */
  put(tenantId: string, key: string, bytes: Uint8Array, now: number): void
  get(tenantId: string, key: string): Uint8Array | undefined
  remove(tenantId: string, key: string): void
  /** Sets how many pages the log has before a checkpoint; with 0, only the replication makes checkpoints. */
  checkpointAfter(pages: number): void
  /** Calls `listener` after each change. */
  onChange(listener: () => void): void
  close(): void
}

/** The files of one firm, for its use cases. */
export type TenantBlobs = {
  put(key: string, bytes: Uint8Array, now: number): void
  get(key: string): Uint8Array | undefined
}

/** The schema of `files.db`. */
export const BLOBS = `CREATE TABLE IF NOT EXISTS blobs (
  tenant_id TEXT NOT NULL,
  key TEXT NOT NULL,
  sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, key)
) STRICT`

const sealContext = (tenantId: string, key: string): string => `file:${tenantId}:${key}`

/** Opens the file store, or creates it. */
export function openBlobStore(path: string, secrets: MasterBox): BlobStore {
  const db = openWriter(path)
  db.exec(BLOBS)
  let changed = (): void => {}
  return {
    put: (tenantId, key, bytes, now) => {
      db.run('INSERT OR REPLACE INTO blobs (tenant_id, key, sealed, created_at) VALUES (?,?,?,?)', [
        tenantId,
        key,
        secrets.forFirm(tenantId).seal(bytes, sealContext(tenantId, key)),
        now,
      ])
      changed()
    },
    get: (tenantId, key) => {
      const row = db.get<{ sealed: Uint8Array }>('SELECT sealed FROM blobs WHERE tenant_id = ? AND key = ?', [
        tenantId,
        key,
      ])
      return row && secrets.forFirm(tenantId).open(row.sealed, sealContext(tenantId, key))
    },
    remove: (tenantId, key) => {
      db.run('DELETE FROM blobs WHERE tenant_id = ? AND key = ?', [tenantId, key])
      changed()
    },
    checkpointAfter: (pages) => db.raw.run(`PRAGMA wal_autocheckpoint = ${pages}`),
    onChange: (listener) => {
      changed = listener
    },
    close: db.close,
  }
}
