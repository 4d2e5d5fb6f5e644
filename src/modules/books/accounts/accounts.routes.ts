import { MIB } from '../../../platform/bytes.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { MoneyPage, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../../clients/traders/traders.rows.ts'
import type { AccountHooks } from './accounts.hooks.ts'
import {
  AccountIn,
  AccountOut,
  AccountPatch,
  AccountRowOut,
  AccountSyncIn,
  AccountSyncOut,
  accountList,
  toAccount,
} from './accounts.model.ts'
import { createAccount, deleteAccount, updateAccount } from './accounts.service.ts'
import { syncAccounts } from './accounts.sync.ts'
import { accounts } from './accounts.table.ts'

const read = { scope: 'accounts:read', role: 'viewer', audience: ['trader'] } as const
const write = { scope: 'accounts:write', role: 'operator' } as const

/** The trading accounts of clients. RULES “Accounts”. */
export const accountRoutes = (hooks: AccountHooks) =>
  declareRoutes('Accounts')
    .get('/v1/accounts', ({ ctx, query }) => withNames(ctx, readPage(ctx, accountList, query, toAccount)), {
      access: read,
      query: accountList.query,
      ...op('accounts.list', 'List trading accounts', { 200: MoneyPage(AccountRowOut) }),
    })
    .get('/v1/accounts/export.csv', ({ ctx, query }) => exportRows(ctx, accountList, query, 'account', toAccount), {
      access: { scope: 'accounts:read', role: 'manager', fresh: true },
      query: accountList.exportQuery,
      ...op('accounts.export', 'Export trading accounts as CSV', { 200: Csv }),
    })
    .post('/v1/accounts', ({ ctx, body }) => createAccount(ctx, hooks, body), {
      access: write,
      creates: true,
      body: AccountIn,
      ...op('accounts.create', 'Create or link an account for a trader', { 201: AccountOut }, [409]),
    })
    .post('/v1/accounts/sync', ({ ctx, body }) => syncAccounts(ctx, body), {
      access: write,
      // enough for 10,000 accounts with long numbers
      maxBytes: 4 * MIB,
      maxValues: 100_000,
      body: AccountSyncIn,
      ...op('accounts.sync', 'Balances from a platform bridge, idempotent by sequence', { 200: AccountSyncOut }),
    })
    .get('/v1/accounts/:id', ({ ctx, params }) => toAccount(ctx.db.get(accounts, params.id)), {
      access: read,
      params: IdParam,
      ...op('accounts.get', 'One trading account', { 200: AccountOut }, [404]),
    })
    .patch('/v1/accounts/:id', ({ ctx, params, body, expect }) => updateAccount(ctx, hooks, params.id, body, expect), {
      access: { ...write, fresh: 'if it lifts a block' },
      params: IdParam,
      body: AccountPatch,
      ...op('accounts.update', 'Change a trading account', { 200: AccountOut }, [404, 409]),
    })
    .delete('/v1/accounts/:id', ({ ctx, params, expect }) => deleteAccount(ctx, hooks, params.id, expect), {
      access: { scope: 'accounts:write', role: 'manager' },
      empty: true,
      params: IdParam,
      ...op('accounts.delete', 'Delete a trading account', { 204: None }, [404, 409]),
    })
