import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { MoneyPage, Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../../clients/traders/traders.rows.ts'
import { readPosted, readStatement } from './ledger.queries.ts'
import { trialBalance } from './ledger.tasks.ts'
import type { WalletHooks } from './wallets.hooks.ts'
import {
  LedgerEntryOut,
  ledgerFeed,
  PostedEntryOut,
  TrialBalanceOut,
  toWallet,
  WalletRowOut,
  walletEntryList,
  walletList,
} from './wallets.model.ts'

const read = { scope: 'wallets:read', role: 'viewer', audience: ['trader'] } as const

/** Wallets, and the books that they are computed from. src/README “Ledger”. */
export const walletRoutes = (hooks: WalletHooks) =>
  declareRoutes('Wallets and ledger')
    .get('/v1/wallets', ({ ctx, query }) => withNames(ctx, readPage(ctx, walletList, query, toWallet)), {
      access: read,
      query: walletList.query,
      ...op('wallets.list', 'List wallets (trader × currency)', { 200: MoneyPage(WalletRowOut) }),
    })
    .get('/v1/wallets/export.csv', ({ ctx, query }) => exportRows(ctx, walletList, query, 'wallet', toWallet), {
      access: { scope: 'wallets:read', role: 'manager', fresh: true },
      query: walletList.exportQuery,
      ...op('wallets.export', 'Export wallets as CSV', { 200: Csv }),
    })
    .get('/v1/wallets/:id/entries', ({ ctx, params, query }) => readStatement(ctx, hooks, params.id, query), {
      access: read,
      params: IdParam,
      query: walletEntryList.query,
      ...op(
        'wallets.entries',
        'Ledger entries of one wallet, with the balance after each',
        { 200: Page(LedgerEntryOut) },
        [404],
      ),
    })
    .get('/v1/ledger/entries', ({ ctx, query }) => readPosted(ctx, query), {
      access: { scope: 'ledger:read', role: 'manager' },
      query: ledgerFeed.query,
      ...op('ledger.entries', 'Entries over all wallets in posting order', { 200: Page(PostedEntryOut) }),
    })
    .get('/v1/ledger/trial-balance', ({ ctx }) => trialBalance(ctx), {
      access: { scope: 'ledger:read', role: 'manager' },
      ...op('ledger.trialBalance', 'Sums per ledger account and currency', { 200: TrialBalanceOut }, [503]),
    })
