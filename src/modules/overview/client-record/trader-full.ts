import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Row, TenantTable } from '../../../platform/db/tenant-table.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { AccountOut, toAccount } from '../../books/accounts/accounts.model.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { DepositOut, toDeposit } from '../../books/deposits/deposits.model.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { TransferOut, toTransfer } from '../../books/transfers/transfers.model.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { toWallet, WalletOut } from '../../books/wallets/wallets.model.ts'
import { wallets } from '../../books/wallets/wallets.table.ts'
import { toWithdrawal, WithdrawalOut } from '../../books/withdrawals/withdrawals.model.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { DocumentOut, SubmissionOut, toDocument, toSubmission } from '../../clients/kyc/kyc.model.ts'
import { kycDocuments, kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { readPolicies } from '../../clients/support/sla.ts'
import { TicketOut, toTicket } from '../../clients/support/support.model.ts'
import { tickets } from '../../clients/support/support.table.ts'
import { TraderNoteOut, TraderOut, toTrader, toTraderNote } from '../../clients/traders/traders.model.ts'
import { traderNotes, traders } from '../../clients/traders/traders.table.ts'
import { mayRead } from './timeline.kinds.ts'
import { countTimeline, readTimeline, TimelineItem } from './timeline.ts'

/** An answer has the newest rows of each kind, up to this many. */
const NEWEST = 100

// null comes first, so that the document's example has only the client
const buildListSchema = <T extends TSchema>(row: T) =>
  Type.Union([Type.Null(), Type.Object({ total: Type.Integer(), data: Type.Array(row) })])

export const TraderFull = nameSchema(
  'TraderFull',
  Type.Object(
    {
      trader: TraderOut,
      accounts: buildListSchema(AccountOut),
      wallets: buildListSchema(WalletOut),
      deposits: buildListSchema(DepositOut),
      withdrawals: buildListSchema(WithdrawalOut),
      transfers: buildListSchema(TransferOut),
      kycSubmissions: buildListSchema(SubmissionOut),
      kycDocuments: buildListSchema(DocumentOut),
      tickets: buildListSchema(TicketOut),
      notes: buildListSchema(TraderNoteOut),
      audit: Type.Object({ total: Type.Integer(), data: Type.Array(TimelineItem, { examples: [[]] }) }),
    },
    { description: `the newest ${NEWEST} of each kind and how many there are; null: not for this caller` },
  ),
)

const OF_TRADER = ' AND trader_id = ?'

/** Returns the newest rows of a client in one table; null if the caller may not read them. */
function newest<T extends TenantTable, Out>(
  ctx: Ctx,
  entity: string,
  table: T,
  traderId: string,
  toWire: (row: Row<T>) => Out,
  order = 'created_at DESC, id DESC',
): { total: number; data: Out[] } | null {
  if (!mayRead(ctx.principal, entity)) return null
  const rows = ctx.db.select(table, `${OF_TRADER} ORDER BY ${order} LIMIT ?`, [traderId, NEWEST])
  return { total: ctx.db.total(table, OF_TRADER, [traderId]), data: rows.map(toWire) }
}

/**
 * Answers a client with the newest 100 rows of each kind and their number. A kind that a role or a key's scopes do not
 * allow is null. 404 for an unknown client; a deleted one is answered.
 */
export function readFull(ctx: Ctx, traderId: string): Static<typeof TraderFull> {
  const trader = toTrader(ctx.db.get(traders, traderId, { withDeleted: true }))
  const policies = readPolicies(ctx.unowned)
  const timeline = readTimeline(ctx, traderId, { limit: `${NEWEST}` })
  return {
    trader,
    accounts: newest(ctx, 'account', accounts, traderId, toAccount),
    // a client has few wallets; without the plus SQLite would read the whole firm's wallets by time
    wallets: newest(ctx, 'wallet', wallets, traderId, toWallet, '+created_at DESC, +id DESC'),
    deposits: newest(ctx, 'deposit', deposits, traderId, toDeposit),
    withdrawals: newest(ctx, 'withdrawal', withdrawals, traderId, toWithdrawal),
    transfers: newest(ctx, 'transfer', transfers, traderId, toTransfer),
    kycSubmissions: newest(ctx, 'kyc_submission', kycSubmissions, traderId, toSubmission),
    kycDocuments: newest(ctx, 'kyc_document', kycDocuments, traderId, toDocument),
    tickets: newest(ctx, 'ticket', tickets, traderId, (row) => toTicket(row, policies, ctx.now())),
    notes: newest(ctx, 'trader_note', traderNotes, traderId, toTraderNote),
    audit: { total: countTimeline(ctx, traderId), data: timeline.data },
  }
}
