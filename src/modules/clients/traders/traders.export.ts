import type { Ctx } from '../../../platform/access/ctx.ts'
import { fileColumns } from '../../../platform/db/wire-form.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import type { TraderHooks } from './traders.hooks.ts'
import { toTrader, traderList } from './traders.model.ts'
import { type TraderRow, traders } from './traders.table.ts'

/** In the file each part of an address has its own column. */
const ADDRESS = ['street', 'city', 'postalCode'] as const
const COLUMNS = fileColumns(traders, { dateOfBirth: ADDRESS })

/** Returns the cells of a client; lists are joined with commas, and each part of the address is a cell. */
const toExportLine = (row: TraderRow) => {
  const { segments, tags, address, ...trader } = toTrader(row)
  const { street, city, postalCode } = address ?? {}
  return { ...trader, street, city, postalCode, segments: segments.join(', '), tags: tags.join(', ') }
}

/** Sends clients as a file. */
export const exportTraders = (
  ctx: Ctx,
  { whereActed, describeBalances }: TraderHooks,
  query: Query,
): Promise<Response> =>
  sendList(ctx, traderList, query, {
    entity: 'trader',
    form: toExportLine,
    columns: COLUMNS,
    only: whereActed(query, ctx),
    more: {
      columns: ['balances'],
      of: (rows) => {
        const balances = describeBalances(
          ctx,
          rows.map(({ id }) => id),
        )
        return rows.map(({ id }) => [balances.get(id) ?? null])
      },
    },
  })
