import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

const FILE_PURPOSES = ['logo', 'kyc'] as const
export type FilePurpose = (typeof FILE_PURPOSES)[number]
const FILE_STATUS = ['awaiting', 'uploaded', 'attached'] as const

/**
 * Describes an uploaded file; its bytes are sealed in the blob store under the same id. Clients announce and confirm
 * their own documents.
 */
export const files = tenantTable(
  'files',
  'fil',
  {
    /** The client whose document it is; null for a file of the firm. */
    traderId: text(),
    purpose: text({ enum: FILE_PURPOSES }).notNull(),
    contentType: text().notNull(),
    size: integer().notNull(),
    /** The hash of the bytes that arrived; null before they arrive, and if they were refused. */
    sha256: text(),
    status: text({ enum: FILE_STATUS }).notNull(),
    public: flag().notNull().default(false),
    createdAt: time().notNull().default(0),
    /** Until this time the bytes may be uploaded, or an uploaded file may be attached. It means nothing afterwards. */
    expiresAt: time().notNull(),
  },
  {
    entity: 'file',
    owner: 'traderId',
    person: {
      of: 'traderId',
      // the purge of files removes the bytes, since the row is no longer attached
      by: `UPDATE files SET status = 'uploaded', expires_at = 0 WHERE tenant_id = ?1 AND trader_id = ?2`,
      audit: 'goes',
    },
  },
)
export type FileRow = Row<typeof files>
