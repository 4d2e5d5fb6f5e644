import { text } from 'drizzle-orm/sqlite-core'
import type { Role } from '../../../platform/access/catalogue.ts'
import { time } from '../../../platform/db/columns.ts'
import { colleagues, kept, words } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** Who looked as whom, why and until when. What reads is a session with the viewer's name in it. */
export const views = tenantTable(
  'views',
  'viw',
  {
    /** Who looks. */
    userId: text().notNull(),
    /** Whom they look as: a client or a colleague. */
    traderId: text(),
    asUserId: text(),
    reason: text(),
    /** The viewer's role at the start: with another one the view is over. */
    role: text().$type<Role>().notNull(),
    sessionId: text().notNull(),
    /** The viewer's own session: without it the view is over. */
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
        reason: words,
        ...colleagues('userId', 'asUserId'),
        ...kept('points at rows that are removed themselves', 'sessionId', 'ownSessionId'),
        ...kept('a word of the catalogue', 'role'),
      },
    },
  },
)
export type ViewRow = Row<typeof views>
