import { type Static, Type } from '@sinclair/typebox'
import type { Scope } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { mayCall } from '../../../platform/access/principal.ts'
import type { TenantTable } from '../../../platform/db/tenant-table.ts'
import { CurrencySum, MOST_COUNTED, readSums } from '../../../platform/http/lists/list-totals.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Amount, Currency, Nullable, OneOf } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { wallets } from '../../books/wallets/wallets.table.ts'
import { checkClient } from '../../books/withdrawals/withdrawals.checks.ts'
import { Check } from '../../books/withdrawals/withdrawals.model.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { READS_HITS } from '../../clients/sanctions/sanctions.access.ts'
import { screeningState } from '../../clients/sanctions/sanctions.queries.ts'
import { tickets } from '../../clients/support/support.table.ts'
import { traderNotes, traders } from '../../clients/traders/traders.table.ts'

/** Records of one client are counted up to this number; the page shows “1,000+”. */
const MOST_RECORDS = 1000
const SANCTIONS = ['not_screened', 'waiting', 'clear', 'open', 'confirmed'] as const

const Sums = Nullable(
  Type.Object({
    byCurrency: Type.Union([Type.Array(CurrencySum), Type.Null()], {
      description: `null where more than ${MOST_COUNTED} rows would be added up`,
    }),
  }),
)
const Records = Nullable(
  nameSchema(
    'RecordCount',
    Type.Object({
      total: Type.Integer({ description: `at most ${MOST_RECORDS}, which means so many or more` }),
      waiting: Type.Integer({ description: 'of them still open, under the same limit' }),
    }),
  ),
)

export const TraderOverview = nameSchema(
  'TraderOverview',
  Type.Object(
    {
      sanctions: Nullable(OneOf(SANCTIONS, { description: 'for who may read matches with lists; null for others' })),
      wallets: Nullable(Type.Array(Type.Object({ currency: Currency, available: Amount, held: Amount }))),
      deposited: Sums,
      paidOut: Sums,
      withdrawalChecks: Nullable(
        Type.Array(Check, { description: 'whether a withdrawal could be created now; for who may create one' }),
      ),
      openPositions: Sums,
      records: Type.Object({
        accounts: Records,
        wallets: Records,
        deposits: Records,
        withdrawals: Records,
        transfers: Records,
        kyc: Records,
        tickets: Records,
        positions: Records,
        notes: Records,
      }),
    },
    { description: 'how a client stands; what a role or a key’s scopes do not open is null' },
  ),
)
type Overview = Static<typeof TraderOverview>

/**
 * Answers a client's state: screening, money by currency (credited, paid out, profit of open positions), and how many
 * records of each kind there are, and how many wait. 404 for an unknown client; a deleted one is answered.
 */
export function readOverview(ctx: Ctx, traderId: string): Overview {
  const trader = ctx.db.get(traders, traderId, { withDeleted: true })
  const may = (scope: Scope): boolean => mayCall(ctx.principal, { scope, role: 'viewer' })
  const only = <T>(scope: Scope, read: () => T): T | null => (may(scope) ? read() : null)
  const of = (sql = '') => ({ sql: ` AND trader_id = ?${sql}`, params: [traderId] })
  const count = (table: TenantTable, where = ''): number => {
    const { sql, params } = of(where)
    return ctx.db.total(table, sql, params, { atMost: MOST_RECORDS })
  }
  const records = (scope: Scope, table: TenantTable, open?: string) =>
    only(scope, () => ({ total: count(table), waiting: open === undefined ? 0 : count(table, ` AND ${open}`) }))
  return {
    // a reader who may not read matches must not be able to warn the client
    sanctions: mayCall(ctx.principal, READS_HITS) ? readSanctions(ctx, traderId) : null,
    wallets: only('wallets:read', () =>
      ctx.db.list(wallets, { traderId }, { orderBy: 'currency' }).map(({ currency, available, held }) => ({
        currency,
        available: formatAmount(available, currency),
        held: formatAmount(held, currency),
      })),
    ),
    deposited: only('deposits:read', () => ({
      byCurrency: readSums(
        ctx.db,
        deposits,
        { amount: 'settledAmount', currency: 'currency' },
        of(' AND settled_at IS NOT NULL'),
      ),
    })),
    paidOut: only('withdrawals:read', () => ({
      byCurrency: readSums(ctx.db, withdrawals, { amount: 'amount', currency: 'currency' }, of(` AND status = 'paid'`)),
    })),
    // whoever may create a withdrawal would be refused for the same reasons
    withdrawalChecks: mayCall(ctx.principal, { scope: 'withdrawals:write', role: 'operator' })
      ? checkClient(ctx.unowned, trader, ctx.now())
      : null,
    openPositions: only('positions:read', () => ({
      byCurrency: readSums(ctx.db, positions, { amount: 'profit', currency: 'currency' }, of(` AND status = 'open'`)),
    })),
    records: {
      accounts: records('accounts:read', accounts),
      wallets: records('wallets:read', wallets),
      deposits: records('deposits:read', deposits, `status = 'pending'`),
      withdrawals: records('withdrawals:read', withdrawals, `status IN ('requested', 'approved')`),
      transfers: records('wallets:read', transfers, `state = 'sent'`),
      kyc: records('kyc:read', kycSubmissions, `status = 'requested'`),
      tickets: records('support:read', tickets, `status IN ('open', 'pending')`),
      positions: records('positions:read', positions),
      notes: records('traders:read', traderNotes),
    },
  }
}

function readSanctions(ctx: Ctx, traderId: string): (typeof SANCTIONS)[number] {
  const { lists, pending, openHits, confirmedHits } = screeningState(ctx.unowned, traderId)
  if (confirmedHits > 0) return 'confirmed'
  if (openHits > 0) return 'open'
  if (lists === 0) return 'not_screened'
  return pending ? 'waiting' : 'clear'
}
