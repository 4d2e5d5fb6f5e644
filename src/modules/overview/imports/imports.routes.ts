import { spooledFile } from '../../../platform/http/body/spool.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList, Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { invalid } from '../../../platform/problem.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { ConfirmIn, FILE_BYTES, ImportIn, ImportOut, toImport } from './imports.model.ts'
import { balanceFile, errorFile } from './imports.report.ts'
import { beginImport, confirmImport, readImport, undoImport } from './imports.service.ts'
import { imports } from './imports.table.ts'

const importList = defineList({
  name: 'imports',
  table: imports,
  filters: { status: equals(imports.status) },
})

const read = { scope: 'traders:read', role: 'manager' } as const
const write = { scope: 'traders:write', role: 'admin' } as const

/** Imports of clients, accounts and opening balances from a file. */
export const importRoutes = declareRoutes('Traders')
  .post(
    '/v1/traders/import',
    ({ ctx, body, request }) => {
      // if a text is too long for memory, the body has its hash instead; only the file's own text may be that long
      if (body.fileName !== undefined && spooledFile(request, body.fileName) !== undefined)
        throw invalid('fileName', 'too_long', say('imports.field.file_name'))
      const path = spooledFile(request, body.csv)
      return beginImport(ctx, body, path === undefined ? { text: body.csv } : { path })
    },
    {
      access: write,
      creates: true,
      maxBytes: FILE_BYTES,
      spooled: true,
      body: ImportIn,
      ...op(
        'traders.import',
        'Import clients, accounts and opening balances from CSV text',
        { 201: ImportOut },
        [409],
        {
          another: 'Opening balances are posted once another person has confirmed them.',
        },
      ),
    },
  )
  .get('/v1/traders/import', ({ ctx, query }) => readPage(ctx, importList, query, (row) => toImport(row, [], [])), {
    access: read,
    query: importList.query,
    ...op('traders.imports.list', 'List imports, without their mistakes', { 200: Page(ImportOut) }),
  })
  .get('/v1/traders/import/:id', ({ ctx, params }) => readImport(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op(
      'traders.imports.get',
      'Progress, mistakes, and balances beside the control totals',
      { 200: ImportOut },
      [404],
    ),
  })
  .get('/v1/traders/import/:id/errors.csv', ({ ctx, params }) => errorFile(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('traders.imports.errors', 'Every mistake of a file as CSV', { 200: Csv }, [404]),
  })
  .get('/v1/traders/import/:id/balances.csv', ({ ctx, params }) => balanceFile(ctx, params.id), {
    // the money of clients may be read only with the right to wallets
    access: { scope: 'wallets:read', role: 'manager', fresh: true },
    params: IdParam,
    ...op('traders.imports.balances', 'Opening balances by client as CSV', { 200: Csv }, [404]),
  })
  .post(
    '/v1/traders/import/:id/confirm',
    ({ ctx, params, body, expect }) => confirmImport(ctx, params.id, body.note, expect),
    {
      access: { scope: 'adjustment-decisions:write', role: 'admin', fresh: true },
      params: IdParam,
      body: ConfirmIn,
      ...op(
        'traders.imports.confirm',
        'Confirm the control totals and post the opening balances',
        { 200: ImportOut },
        [404, 409, 412],
        { another: 'Not by the person who brought the file.' },
      ),
    },
  )
  .post('/v1/traders/import/:id/undo', ({ ctx, params, expect }) => undoImport(ctx, params.id, expect), {
    access: { ...write, fresh: true },
    params: IdParam,
    ...op(
      'traders.imports.undo',
      'Stop an import, or take it back while nothing happened to it',
      { 200: ImportOut },
      [404, 409, 412],
    ),
  })
