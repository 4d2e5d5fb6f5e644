import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../traders/traders.rows.ts'
import { submissionList, toSubmission } from './kyc.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'createdAt',
  'level',
  'status',
  'rejectionKind',
  'rejectionDetail',
  'decidedAt',
  'note',
] as const

/** Identity checks as a file. */
export const exportSubmissions = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, submissionList, query, {
    entity: 'kyc_submission',
    form: toSubmission,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
