import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { InstructionOut, instructionList, toInstruction } from './instructions.model.ts'
import { cancelInstruction, getInstruction } from './instructions.service.ts'

const read = { scope: 'platforms:read', role: 'viewer' } as const

/** What was asked of trading servers. RULES “Accounts on a terminal”, “Terminal money”. */
export const instructionRoutes = declareRoutes('Platforms')
  .get('/v1/platforms/instructions', ({ ctx, query }) => readPage(ctx, instructionList, query, toInstruction), {
    access: read,
    query: instructionList.query,
    ...op('platforms.instructions.list', 'What was asked of trading servers', { 200: Page(InstructionOut) }),
  })
  .get(
    '/v1/platforms/instructions/export.csv',
    ({ ctx, query }) => sendList(ctx, instructionList, query, { entity: 'terminal_instruction', form: toInstruction }),
    {
      access: { ...read, role: 'manager', fresh: true },
      query: instructionList.exportQuery,
      ...op('platforms.instructions.export', 'Export instructions as CSV', { 200: Csv }),
    },
  )
  .get('/v1/platforms/instructions/:id', ({ ctx, params }) => getInstruction(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('platforms.instructions.get', 'One instruction, with each try and each look', { 200: InstructionOut }, [404]),
  })
  .post('/v1/platforms/instructions/:id/cancel', ({ ctx, params }) => cancelInstruction(ctx, params.id), {
    access: { scope: 'accounts:write', role: 'operator' },
    params: IdParam,
    ...op('platforms.instructions.cancel', 'Take back an instruction that waits', { 200: InstructionOut }, [404, 409]),
  })
