import { text } from 'drizzle-orm/sqlite-core'
import { column, currency, id, json, money, shownAs, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, markedFreeText, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { Id } from '../../../platform/wire/fields.ts'
import { worded } from '../../../platform/wire/schema-name.ts'

const PAYOUT_STATUS = ['requested', 'approved', 'rejected'] as const

/** One person's approval of a payout, with the note that an involved person needs. */
export type PayoutVote = { userId: string; at: number; note: string | null }

const BOOKS = stays('a brokerage shows its books')
/** An affiliate's request for commission, which is paid into its client's wallet once approved. */
export const affiliatePayouts = tenantTable(
  'affiliate_payouts',
  'apo',
  {
    affiliateId: column(id().notNull(), BOOKS, 'api csv'),
    traderId: column(id().notNull(), untold, 'hidden'),
    currency: column(currency().notNull(), BOOKS, 'api csv'),
    amount: column(money().notNull(), fact, 'api csv'),
    status: column(text({ enum: PAYOUT_STATUS }).notNull().default('requested'), fact, 'api csv'),
    requestedBy: column(
      shownAs(text(), worded(Id, 'of the staff; null where the affiliate asked')),
      colleague,
      'api csv',
    ),
    decidedBy: column(id(), colleague, 'api csv'),
    decidedAt: column(time(), fact, 'api csv'),
    reason: column(text(), markedFreeText, 'api csv'),
    /** The approvals so far, by different people. */
    votes: column(json<PayoutVote[]>().notNull().default([]), colleague, 'hidden'),
    ...stamps,
  },
  {
    entity: 'affiliate_payout',
    isMoney: true,
    broker: 'affiliateId',
    fileOrder: 'createdAt affiliateId status currency amount reason',
    person: { of: 'traderId' },
  },
)
export type PayoutRow = Row<typeof affiliatePayouts>
