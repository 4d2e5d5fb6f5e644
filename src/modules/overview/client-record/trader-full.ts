import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Row, TenantTable } from '../../../platform/db/tenant-table.ts'
import { named } from '../../../platform/wire/named.ts'
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

/** Rows of one kind that an answer has; the newest. */
const NEWEST = 100

// null first: the document's example has nothing but the trader
const listOf = <T extends TSchema>(row: T) =>
  Type.Union([Type.Null(), Type.Object({ total: Type.Integer(), data: Type.Array(row) })])

export const TraderFull = named(
  'TraderFull',
  Type.Object(
    {
      trader: TraderOut,
      accounts: listOf(AccountOut),
      wallets: listOf(WalletOut),
      deposits: listOf(DepositOut),
      withdrawals: listOf(WithdrawalOut),
      transfers: listOf(TransferOut),
      kycSubmissions: listOf(SubmissionOut),
      kycDocuments: listOf(DocumentOut),
      tickets: listOf(TicketOut),
      notes: listOf(TraderNoteOut),
      audit: Type.Object({ total: Type.Integer(), data: Type.Array(TimelineItem, { examples: [[]] }) }),
    },
    { description: `the newest ${NEWEST} of each kind and how many there are; null: not for this caller` },
  ),
)

const OF_TRADER = ' AND trader_id = ?'

/** The newest rows of a trader in one table, where the caller may read such rows at all. */
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
 * A client with the newest 100 of everything that the caller may see, and how much there is of it; what a role or a
 * key's scopes do not open is null. 404 where there is no such client; a deleted one is answered.
 */
export function readFull(ctx: Ctx, traderId: string): Static<typeof TraderFull> {
  const trader = toTrader(ctx.db.get(traders, traderId, { withDeleted: true }))
  const policies = readPolicies(ctx.unowned)
  const timeline = readTimeline(ctx, traderId, { limit: `${NEWEST}` })
  return {
    trader,
    accounts: newest(ctx, 'account', accounts, traderId, toAccount),
    // a few; without the plus SQLite walks the wallets of the whole firm by time
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
