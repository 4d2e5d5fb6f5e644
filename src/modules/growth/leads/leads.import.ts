import type { Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { readCountryName } from '../../../platform/country-names.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type CsvLine, mapColumns, openTable } from '../../../platform/http/body/csv-reader.ts'
import { validationProblem } from '../../../platform/http/body/validation.ts'
import { Problem } from '../../../platform/problem.ts'
import { Language } from '../../../platform/wire/fields.ts'
import { withoutControls } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import { toE164 } from '../../clients/traders/contact.ts'
import { type ImportIn, type ImportOut, LeadIn } from './leads.model.ts'
import { captureLead } from './leads.service.ts'
import type { LeadRow } from './leads.table.ts'

const MAX_ROWS = 10_000
/** One write, and one step of checking, takes this many rows, in a few milliseconds. */
const BATCH = 100
const MAX_ERRORS = 200
/** A value that is kept as text is cut to this many characters. */
const LONGEST_KEPT = 500

const shape = TypeCompiler.Compile(LeadIn)
type Report = Static<typeof ImportOut>
type Candidate = { row: number; lead: Static<typeof LeadIn> }

class DryRun extends Error {}

/** Counts a refused row; only the first errors are listed. */
function refuse(report: Report, error: Report['errors'][number]): void {
  report.failed += 1
  if (report.errors.length < MAX_ERRORS) report.errors.push(error)
}

const languageShape = TypeCompiler.Compile(Language)
/** How a field's text is converted to its stored value; undefined if it cannot be read. */
const READERS: Readonly<Record<string, (text: string, country: unknown) => string | undefined>> = {
  country: readCountryName,
  language: (text) => {
    const code = text.replace(/^[A-Z]{2}$/, (letters) => letters.toLowerCase())
    return languageShape.Check(code) ? code : undefined
  },
  phone: (text, country) => {
    try {
      return toE164(text, typeof country === 'string' ? country : undefined)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  },
}

/** Moves values that cannot be read and are not needed into the lead's metadata as text; the report names them. */
function keepUnread(cells: Record<string, unknown>, row: number, report: Report): Record<string, unknown> {
  const lead = { ...cells }
  const metadata: Record<string, string> = {}
  for (const [path, read] of Object.entries(READERS)) {
    const text = lead[path]
    if (typeof text !== 'string') continue
    const value = read(text, lead.country)
    lead[path] = value
    if (value !== undefined) continue
    metadata[path] = text.slice(0, LONGEST_KEPT)
    if (report.notes.length < MAX_ERRORS)
      report.notes.push({ row, path, code: 'kept', message: say('imports.line.kept_lead') })
  }
  if (Object.keys(metadata).length > 0) lead.metadata = metadata
  return Object.fromEntries(Object.entries(lead).filter(([, value]) => value !== undefined))
}

/** Returns the rows that have the form of a lead, and refuses the others in the report. */
async function readCandidates(
  rows: readonly CsvLine[],
  input: Static<typeof ImportIn>,
  report: Report,
): Promise<Candidate[]> {
  const fields = mapColumns(report.columns, input.mapping)
  const candidates: Candidate[] = []
  for (const [index, { cells, line: row }] of rows.entries()) {
    if (index > 0 && index % BATCH === 0) await Bun.sleep(0)
    const given: Record<string, unknown> = { source: input.source }
    if (input.assignedTo) given.assignedTo = input.assignedTo
    // invisible characters are removed, since a row should not be refused for them
    for (const [column, field] of fields) if (cells[column]) given[field] = withoutControls(cells[column])
    const lead = keepUnread(given, row, report)
    if (shape.Check(lead)) candidates.push({ row, lead })
    // writing the text of an error takes longer than finding it
    else if (report.errors.length === MAX_ERRORS) report.failed += 1
    else {
      const [first] = validationProblem('body', LeadIn, lead).errors
      const message = first?.message ?? say('problems.field.invalid')
      refuse(report, { row, path: first?.path ?? '', code: 'invalid', message })
    }
  }
  return candidates
}

/** Remembers leads by id, address and number; the returned function says whether one of these was seen before. */
function createMemory(): (lead: LeadRow) => boolean {
  const seen = new Set<string>()
  return ({ leadGenId, email, phone }) => {
    const keys = [leadGenId && `id ${leadGenId}`, email && `email ${email}`, phone && `phone ${phone}`].filter(
      (key) => typeof key === 'string',
    )
    const known = keys.some((key) => seen.has(key))
    for (const key of keys) seen.add(key)
    return known
  }
}

/** Captures several leads in one transaction; a refused lead does not stop the others. */
function captureAll(
  tx: Tx,
  ctx: Ctx,
  part: readonly Candidate[],
  { report, wasSeen }: { report: Report; wasSeen: (lead: LeadRow) => boolean },
): void {
  for (const { row, lead } of part) {
    try {
      const { row: captured, twinBy } = captureLead(tx, ctx, lead)
      if (twinBy || (report.dryRun && wasSeen(captured))) report.duplicates += 1
      else report.created += 1
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const [first] = error.errors
      const { path, code, message } = first ?? { path: '', code: error.code, message: error.message }
      refuse(report, { row, path, code, message })
    }
  }
}

/**
 * Imports leads from CSV text by a mapping of columns. Each row is created, known, or refused with the field's error.
 * `dryRun` does all of it and then undoes it, to report what would happen. RULES “Leads”.
 */
export async function importLeads(ctx: Ctx, input: Static<typeof ImportIn>): Promise<Report> {
  const lines: CsvLine[] = []
  const mapped = Object.keys(input.mapping)
  const rate = (cells: readonly string[]): number => mapped.filter((head) => cells.includes(head)).length
  const table = await openTable({ text: input.csv }, MAX_ROWS, rate)
  for await (const line of table.lines) lines.push(line)
  const { cells: columns } = table.heads
  const dryRun = input.dryRun ?? false
  const report: Report = {
    dryRun,
    rows: lines.length,
    created: 0,
    duplicates: 0,
    failed: 0,
    columns,
    errors: [],
    notes: [],
  }
  const candidates = await readCandidates(lines, input, report)
  // a dry run undoes each batch, so the leads of earlier batches are remembered here
  const wasSeen = createMemory()
  const batches = Math.max(1, Math.ceil(candidates.length / BATCH))
  for (let batch = 0; batch < batches; batch++) {
    const part = candidates.slice(batch * BATCH, (batch + 1) * BATCH)
    const work = ctx.write(
      'lead.import',
      (tx) => {
        captureAll(tx, ctx, part, { report, wasSeen })
        if (dryRun) throw new DryRun()
        return report
      },
      { answer: batch === batches - 1 },
    )
    await work.catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error
    })
  }
  return report
}
