import { seenBy } from '../../../platform/access/principal.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { MoneyPage, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../../clients/traders/traders.rows.ts'
import { acknowledgeTransfer } from './acknowledge.service.ts'
import type { TransferHooks } from './transfers.hooks.ts'
import {
  AcknowledgeIn,
  TransferIn,
  TransferOut,
  TransferRowOut,
  toOwnTransfer,
  toTransfer,
  transferList,
} from './transfers.model.ts'
import { createTransfer } from './transfers.service.ts'

/** Transfers between wallets, and between a wallet and an account. RULES “Transfers”. */
export const transferRoutes = (hooks: TransferHooks) =>
  declareRoutes('Transfers')
    .get(
      '/v1/transfers',
      ({ ctx, query }) =>
        withNames(ctx, readPage(ctx, transferList, query, seenBy(ctx.principal, toTransfer, toOwnTransfer))),
      {
        access: { scope: 'wallets:read', role: 'viewer', audience: ['trader'] },
        query: transferList.query,
        ...op('transfers.list', 'List transfers', { 200: MoneyPage(TransferRowOut) }),
      },
    )
    .get('/v1/transfers/export.csv', ({ ctx, query }) => exportRows(ctx, transferList, query, 'transfer', toTransfer), {
      access: { scope: 'wallets:read', role: 'manager', fresh: true },
      query: transferList.exportQuery,
      ...op('transfers.export', 'Export transfers as CSV', { 200: Csv }),
    })
    .post('/v1/transfers', ({ ctx, body }) => createTransfer(ctx, hooks, body), {
      access: {
        scope: 'wallets:write',
        role: 'operator',
        audience: ['trader'],
        fresh: 'if staff take the threshold or more from an account',
      },
      creates: true,
      body: TransferIn,
      ...op('transfers.create', 'Move money; another currency converts at a frozen rate', { 201: TransferOut }, [409]),
    })
    .post(
      '/v1/transfers/:id/acknowledge',
      ({ ctx, params, body }) => acknowledgeTransfer(ctx, hooks, params.id, body),
      {
        access: { scope: 'bridge:write', role: 'manager', fresh: 'if the amount reaches the threshold' },
        params: IdParam,
        body: AcknowledgeIn,
        ...op('transfers.acknowledge', 'The platform booked or refused a transfer', { 200: TransferOut }, [404, 409]),
      },
    )
