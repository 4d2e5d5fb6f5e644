import type { Ctx } from '../../platform/access/ctx.ts'
import { sendList } from '../../platform/http/list-file.ts'
import type { Query } from '../../platform/http/page.ts'
import { toTrader, traderList } from './traders.model.ts'
import type { TraderRow } from './traders.table.ts'

const COLUMNS = [
  'id',
  'createdAt',
  'firstName',
  'lastName',
  'email',
  'phone',
  'country',
  'language',
  'dateOfBirth',
  'street',
  'city',
  'postalCode',
  'status',
  'kycLevel',
  'kycStatus',
  'riskLevel',
  'segments',
  'tags',
  'assignedTo',
  'affiliateId',
  'source',
] as const

/** A client in one line: lists as words with commas between them, the address in columns of its own. */
const lineOf = (row: TraderRow) => {
  const { segments, tags, address, ...trader } = toTrader(row)
  const { street, city, postalCode } = address ?? {}
  return { ...trader, street, city, postalCode, segments: segments.join(', '), tags: tags.join(', ') }
}

/** Clients as a file. */
export const exportTraders = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, traderList, query, { entity: 'trader', form: lineOf, columns: COLUMNS })
