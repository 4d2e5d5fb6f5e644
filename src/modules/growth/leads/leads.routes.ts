import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { importLeads } from './leads.import.ts'
import {
  BulkAssignIn,
  BulkAssignOut,
  ConversionOut,
  IMPORT_BYTES,
  ImportIn,
  ImportOut,
  LeadIn,
  LeadOut,
  LeadPatch,
  leadList,
  toLead,
} from './leads.model.ts'
import { bulkAssign, convertLead, createLead, deleteLead, restoreLead, updateLead } from './leads.service.ts'
import { leads } from './leads.table.ts'

const read = { scope: 'leads:read', role: 'viewer' } as const
const write = { scope: 'leads:write', role: 'operator' } as const
const manage = { scope: 'leads:write', role: 'manager' } as const

/** Sales leads until they are clients. RULES “Leads”. */
export const leadRoutes = declareRoutes('Leads')
  .get('/v1/leads', ({ ctx, query }) => readPage(ctx, leadList, query, toLead), {
    access: read,
    query: leadList.query,
    ...op('leads.list', 'List leads', { 200: Page(LeadOut) }),
  })
  .get('/v1/leads/export.csv', ({ ctx, query }) => sendList(ctx, leadList, query, { entity: 'lead', form: toLead }), {
    access: { scope: 'leads:read', role: 'manager', fresh: true },
    query: leadList.exportQuery,
    ...op('leads.export', 'Export leads as CSV', { 200: Csv }),
  })
  .post('/v1/leads', ({ ctx, body }) => createLead(ctx, body), {
    access: write,
    creates: true,
    body: LeadIn,
    ...op('leads.create', 'Capture a lead', { 201: LeadOut }, [409]),
  })
  .get('/v1/leads/:id', ({ ctx, params }) => toLead(ctx.db.get(leads, params.id)), {
    access: read,
    params: IdParam,
    ...op('leads.get', 'One lead', { 200: LeadOut }, [404]),
  })
  .patch('/v1/leads/:id', ({ ctx, params, body, expect }) => updateLead(ctx, params.id, body, expect), {
    access: write,
    params: IdParam,
    body: LeadPatch,
    ...op('leads.update', 'Change fields, status or assignee', { 200: LeadOut }, [404, 409]),
  })
  .delete('/v1/leads/:id', ({ ctx, params, expect }) => deleteLead(ctx, params.id, expect), {
    access: manage,
    empty: true,
    params: IdParam,
    ...op('leads.delete', 'Remove a lead', { 204: None }, [404]),
  })
  .post('/v1/leads/:id/restore', ({ ctx, params }) => restoreLead(ctx, params.id), {
    access: manage,
    params: IdParam,
    ...op('leads.restore', 'Restore a removed lead', { 200: LeadOut }, [404, 409]),
  })
  .post('/v1/leads/:id/convert', ({ ctx, params }) => convertLead(ctx, params.id), {
    access: write,
    params: IdParam,
    ...op('leads.convert', 'Make a trader of it, once', { 200: ConversionOut }, [404, 409]),
  })
  .post('/v1/leads/bulk-assign', ({ ctx, body }) => bulkAssign(ctx, body), {
    access: manage,
    body: BulkAssignIn,
    ...op('leads.bulkAssign', 'Assign several leads', { 200: BulkAssignOut }),
  })
  .post('/v1/leads/import', ({ ctx, body }) => importLeads(ctx, body), {
    access: manage,
    maxBytes: IMPORT_BYTES,
    body: ImportIn,
    ...op('leads.import', 'Import CSV text: dry run, mapping, per-row errors', { 200: ImportOut }),
  })
