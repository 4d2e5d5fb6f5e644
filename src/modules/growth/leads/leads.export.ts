import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { leadList, toLead } from './leads.model.ts'

const COLUMNS = [
  'id',
  'createdAt',
  'firstName',
  'lastName',
  'email',
  'phone',
  'country',
  'language',
  'status',
  'source',
  'campaign',
  'assignedTo',
  'traderId',
  'affiliateId',
  'convertedAt',
  'note',
] as const

/** Leads as a file. */
export const exportLeads = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, leadList, query, { entity: 'lead', form: toLead, columns: COLUMNS })
