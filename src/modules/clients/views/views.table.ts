import { text } from 'drizzle-orm/sqlite-core'
import type { Role } from '../../../platform/access/catalogue.ts'
import { time } from '../../../platform/db/columns.ts'
import { colleagues, freeText, kept } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** Who viewed as whom, why and until when. The view reads through a session with the viewer's name. */
export const views = tenantTable(
  'views',
  'viw',
  {
    /** The viewer. */
    userId: text().notNull(),
    /** The client or colleague whose sight is shown. */
    traderId: text(),
    asUserId: text(),
    reason: text(),
    /** The viewer's role at the start; if the role changes, the view ends. */
    role: text().$type<Role>().notNull(),
    sessionId: text().notNull(),
    /** The viewer's own session; if it ends, the view ends. */
    ownSessionId: text().notNull(),
    createdAt: time().notNull().default(0),
    expiresAt: time().notNull(),
    endedAt: time(),
  },
  {
    entity: 'view',
    owner: 'traderId',
    person: {
      of: 'traderId',
      columns: {
        reason: freeText,
        ...colleagues('userId', 'asUserId'),
        ...kept('points at rows that are removed themselves', 'sessionId', 'ownSessionId'),
        ...kept('a word of the catalogue', 'role'),
      },
    },
  },
)
export type ViewRow = Row<typeof views>
