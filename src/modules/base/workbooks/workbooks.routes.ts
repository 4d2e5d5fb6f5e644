import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MIB } from '../../../platform/bytes.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { spooledFile } from '../../../platform/http/body/spool.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { invalid } from '../../../platform/problem.ts'
import { TaskOverLimit } from '../../../platform/query-runner/task.ts'
import { Line, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'
import { WorkbookRead } from './workbooks.task.ts'

const FILE_BYTES = 32 * MIB
/** The memory that a sheet of 200,000 lines needs. */
const MEMORY = 1024 * MIB

const WorkbookIn = nameSchema(
  'WorkbookIn',
  Strict({
    content: Type.String({
      minLength: 1,
      maxLength: FILE_BYTES,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'an .xlsx file in base64',
    }),
    sheet: Type.Optional({ ...Line(100), description: 'without it, the first one that has something' }),
  }),
)
const WorkbookOut = nameSchema(
  'Workbook',
  Type.Object({
    sheets: Type.Array(Type.String(), { description: 'names of all sheets' }),
    sheet: Type.String({ description: 'the one that was read' }),
    csv: Type.String({ description: 'its text; line and row have the same number' }),
  }),
)

/**
 * Returns a sheet of a workbook as CSV text. 422 if it cannot be read, has no such sheet, or takes a child more time or
 * memory than it may have. Any other failure of the child is a fault of the program.
 */
async function readWorkbook(ctx: Ctx, given: { content?: string; path?: string; sheet: string | undefined }) {
  const options = { deadlineMs: MINUTE, bytes: MEMORY }
  const { sheet, ...file } = given
  const answer: Static<typeof WorkbookRead> = Value.Decode(
    WorkbookRead,
    await ctx
      .runTask('workbooks.read', sheet === undefined ? file : { ...file, sheet }, options)
      .catch((error: unknown) => {
        if (!(error instanceof TaskOverLimit)) throw error
        return { refused: 'too_large' }
      }),
  )
  if (!('refused' in answer)) return answer
  if (answer.refused === 'no_sheet') throw invalid('sheet', 'unknown', say('problems.field.workbook_no_sheet'))
  if (answer.refused === 'too_large') throw invalid('content', 'too_large', say('problems.field.workbook_too_large'))
  throw invalid('content', 'format', say('problems.field.workbook_unreadable'))
}

/** Workbooks of Excel, as CSV text for imports. */
export const workbookRoutes = declareRoutes('Files').post(
  '/v1/workbooks/read',
  ({ ctx, body: { content, sheet }, request }) => {
    // if the text is too long for memory, `content` is its hash and the text is in a file
    const path = spooledFile(request, content)
    return readWorkbook(ctx, path === undefined ? { content, sheet } : { path, sheet })
  },
  {
    access: { scope: 'leads:write', role: 'manager' },
    maxBytes: FILE_BYTES,
    spooled: true,
    body: WorkbookIn,
    ...op('workbooks.read', 'Read an .xlsx file as CSV text for an import; nothing is kept', { 200: WorkbookOut }),
  },
)
