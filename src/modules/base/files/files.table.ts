import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

const FILE_PURPOSES = ['logo', 'kyc'] as const
export type FilePurpose = (typeof FILE_PURPOSES)[number]
const FILE_STATUS = ['awaiting', 'uploaded', 'attached'] as const

/**
 * What is known of an uploaded file; its bytes lie sealed in the blob
 * store under the same id. Traders announce and confirm their own papers.
 */
export const files = tenantTable(
  'files',
  'fil',
  {
    /** Whose paper it is; null for the firm's own files. */
    traderId: text(),
    purpose: text({ enum: FILE_PURPOSES }).notNull(),
    contentType: text().notNull(),
    size: integer().notNull(),
    /** Of the bytes that came; null before, and where they were refused and not kept. */
    sha256: text(),
    status: text({ enum: FILE_STATUS }).notNull(),
    public: flag().notNull().default(false),
    createdAt: time().notNull().default(0),
    /** Until then the upload is taken, and later the file must be attached. Without meaning once it is. */
    expiresAt: time().notNull(),
  },
  {
    entity: 'file',
    owner: 'traderId',
    person: {
      of: 'traderId',
      // the bytes go with the purge of files, which takes what was never attached
      by: `UPDATE files SET status = 'uploaded', expires_at = 0 WHERE tenant_id = ?1 AND trader_id = ?2`,
      audit: 'goes',
    },
  },
)
export type FileRow = Row<typeof files>
