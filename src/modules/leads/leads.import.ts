import { Readable } from 'node:stream'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { parse } from 'csv-parse'
import type { Ctx } from '../../platform/access/ctx.ts'
import { KIB } from '../../platform/bytes.ts'
import { csvFault } from '../../platform/http/csv-fault.ts'
import { withoutControls } from '../../platform/http/formats.ts'
import { invalid, Problem } from '../../platform/http/problem.ts'
import { validationProblem } from '../../platform/http/validation.ts'
import { say } from '../../words/say.ts'
import { type ImportField, type ImportIn, type ImportOut, LeadIn } from './leads.model.ts'
import { captureLead } from './leads.service.ts'
import type { LeadRow } from './leads.table.ts'

const MAX_ROWS = 10_000
/** Rows of one write, and of one look at them: a few milliseconds, so that others get their turn. */
const BATCH = 100
const MAX_ERRORS = 200

const shape = TypeCompiler.Compile(LeadIn)
type Report = Static<typeof ImportOut>
type Candidate = { row: number; lead: Static<typeof LeadIn> }

/** Records, each with the line of the file on which it ends: blank lines and cells of several lines count. */
const Lines = TypeCompiler.Compile(
  Type.Array(Type.Object({ record: Type.Array(Type.String()), info: Type.Object({ lines: Type.Integer() }) })),
)
type Line = { record: string[]; info: { lines: number } }

/** What parts the columns, by the file's first line: Excel saves with semicolons where the comma is decimal. */
function delimiterOf(csv: string): string {
  const [first = ''] = csv.split(/\r?\n/, 1)
  const count = (mark: string): number => first.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

const PIECE = 32 * KIB

/** The file piece by piece: read in one go, a million characters of commas would hold everybody. */
async function* piecesOf(csv: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(csv)
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE)
    await Bun.sleep(0)
  }
}

async function readRows(csv: string): Promise<Line[]> {
  const rows: unknown[] = []
  try {
    const parser = parse({
      delimiter: delimiterOf(csv),
      info: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: MAX_ROWS + 2,
    })
    for await (const row of Readable.from(piecesOf(csv)).pipe(parser)) rows.push(row)
  } catch (error) {
    const place = csvFault(error)
    const why = place ? say('leads.field.cannot_read_as_csv', place) : say('leads.field.csv_malformed')
    throw invalid('csv', 'csv', why)
  }
  if (!Lines.Check(rows)) throw invalid('csv', 'csv', say('leads.field.csv_rows_no_text'))
  return rows
}

/** Which column fills which field; a mapped column that the file lacks, or a field filled twice, is a 422. */
function readHeader(
  header: readonly string[],
  mapping: Readonly<Record<string, ImportField>>,
): Map<number, ImportField> {
  const fields = new Map<number, ImportField>()
  for (const [column, field] of Object.entries(mapping)) {
    const index = header.indexOf(column)
    if (index === -1) throw invalid(`mapping.${column}`, 'unknown_column', say('leads.field.no_column_file'))
    if ([...fields.values()].includes(field))
      throw invalid(`mapping.${column}`, 'repeated', say('leads.field.filled_by_another_column', { field }))
    fields.set(index, field)
  }
  return fields
}

class DryRun extends Error {}

/**
 * Imports leads from CSV text by a column mapping; each row on its own: created, already there, or refused with the
 * field's error. `dryRun` does it all and then undoes it, so what it says is what would happen. rules.md “Leads”.
 */
export async function importLeads(ctx: Ctx, input: Static<typeof ImportIn>): Promise<Report> {
  const [{ record: header } = { record: [] }, ...rows] = await readRows(input.csv)
  if (rows.length > MAX_ROWS)
    throw invalid('csv', 'too_many', say('leads.field.must_have_at_most', { maxRows: MAX_ROWS }))
  const fields = readHeader(header, input.mapping)
  const report: Report = {
    dryRun: input.dryRun ?? false,
    rows: rows.length,
    created: 0,
    duplicates: 0,
    failed: 0,
    columns: header,
    errors: [],
  }
  const refuse = (row: number, path: string, code: string, message: string) => {
    report.failed += 1
    if (report.errors.length < MAX_ERRORS) report.errors.push({ row, path, code, message })
  }
  const candidates: Candidate[] = []
  for (const [index, { record: cells, info }] of rows.entries()) {
    if (index > 0 && index % BATCH === 0) await Bun.sleep(0)
    const lead: Record<string, unknown> = { source: input.source }
    if (input.assignedTo) lead.assignedTo = input.assignedTo
    // what a file has between its letters that nobody sees is no reason to leave somebody out
    for (const [column, field] of fields) if (cells[column]) lead[field] = withoutControls(cells[column])
    if (shape.Check(lead)) candidates.push({ row: info.lines, lead })
    // to find words for what is wrong costs more than to find that something is
    else if (report.errors.length === MAX_ERRORS) report.failed += 1
    else {
      const [first] = validationProblem('body', LeadIn, lead).errors
      refuse(info.lines, first?.path ?? '', 'invalid', first?.message ?? say('problems.field.not_valid'))
    }
  }
  // a dry run undoes each batch: what an earlier one would have made is remembered here
  const seen = new Set<string>()
  const wasSeen = ({ leadGenId, email, phone }: LeadRow): boolean => {
    const keys = [leadGenId && `id ${leadGenId}`, email && `email ${email}`, phone && `phone ${phone}`].filter(
      (key) => typeof key === 'string',
    )
    const known = keys.some((key) => seen.has(key))
    for (const key of keys) seen.add(key)
    return known
  }
  const batches = Math.max(1, Math.ceil(candidates.length / BATCH))
  for (let batch = 0; batch < batches; batch++) {
    const part = candidates.slice(batch * BATCH, (batch + 1) * BATCH)
    const last = batch === batches - 1
    const work = ctx.write(
      'lead.import',
      (tx) => {
        for (const { row, lead } of part) {
          try {
            const { row: captured, twinBy } = captureLead(tx, ctx, lead)
            if (twinBy || (report.dryRun && wasSeen(captured))) report.duplicates += 1
            else report.created += 1
          } catch (error) {
            if (!(error instanceof Problem)) throw error
            refuse(
              row,
              error.errors[0]?.path ?? '',
              error.errors[0]?.code ?? error.code,
              error.errors[0]?.message ?? error.message,
            )
          }
        }
        if (report.dryRun) throw new DryRun()
        return report
      },
      { answer: last },
    )
    await work.catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error
    })
  }
  return report
}
