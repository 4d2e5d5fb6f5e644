import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { statement } from '../../../platform/db/statement.ts'
import { mayBecome } from '../../../platform/db/states.ts'
import { type CsvLine, type CsvSource, mapColumns, openTable } from '../../../platform/http/body/csv-reader.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid, wrongState } from '../../../platform/problem.ts'
import { knownCurrency, parseAmountField } from '../../../platform/wire/fields.ts'
import { withoutControls } from '../../../platform/wire/formats.ts'
import { guessMapping, rateHeads } from '../../../words/import-heads.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { mustBePlatform } from '../../books/accounts/platform-feed.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { refuseGivenPassword, whyNotVote } from '../../firm/independence/independence.service.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { tiedToClients } from './imports.balances.ts'
import { importErrors } from './imports.errors.ts'
import type { ImportField, Reading } from './imports.fields.ts'
import { firstLines } from './imports.lines.ts'
import { ERRORS_SHOWN, type Import, type ImportInput, MOST_LINES, toBalances, toImport } from './imports.model.ts'
import { receiveLines } from './imports.receive.ts'
import { importStates } from './imports.states.ts'
import { type ImportRow, imports, OPEN_IMPORT } from './imports.table.ts'
import { touchedClients } from './imports.undo.ts'

const MOST_COLUMNS = 200
/** A header has at most this many characters. */
const LONGEST_HEAD = 200
/** A line must fill one of these fields, which say whom it is about. */
const IDENTITIES: readonly ImportField[] = ['externalId', 'email', 'phone', 'accountNumber']
/** The refusal of an undo names this many clients. */
const NAMED = 10

const SAME_HEADS = statement(
  sql`SELECT ${imports.mapping} AS mapping FROM ${imports} WHERE ${imports.tenantId} = ?1 AND ${imports.columns} = ?2
    AND ${imports.mapping} <> '{}' ORDER BY ${imports.createdAt} DESC, ${imports.id} DESC LIMIT 1`,
)

/** Returns the mapping of columns that the last file with the same headers had. */
function rememberedMapping(ctx: Ctx, heads: readonly string[]): Record<string, ImportField> | undefined {
  const [last] = ctx.db.query<{ mapping: string }>(SAME_HEADS, [JSON.stringify(heads)])
  return last && JSON.parse(last.mapping)
}

/** Returns the control totals in the form of their currencies; 422 names a wrong currency. */
function readControlTotals(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([code, text]) => {
      const currency = knownCurrency(`controlTotals.${code}`, code)
      const amount = parseAmountField(`controlTotals.${code}`, text, currency)
      if (amount < 0n) throw invalid(`controlTotals.${code}`, 'amount_range', say('imports.line.negative'))
      return [currency, formatAmount(amount, currency)]
    }),
  )
}

/** Refuses a second open file, since two would not see each other's addresses. */
export function refuseSecond(ctx: Pick<Ctx, 'db'>): void {
  if (ctx.db.find(imports, { status: [...OPEN_IMPORT] })) throw importErrors.open()
}

/** What is said about all lines. */
type About = Omit<ImportInput, 'csv' | 'mapping'> & Pick<Reading, 'terminal'>

function begin(ctx: Ctx, input: About, heads: string[], mapping: Record<string, ImportField>): Promise<ImportRow> {
  const controlTotals = readControlTotals(input.controlTotals ?? {})
  const { platforms } = readFirmSettings(ctx.db)
  if (input.platform !== undefined) mustBePlatform(ctx.db, input.platform)
  const { headLine, dates, decimals, terminal } = input
  const currency = input.currency && knownCurrency('currency', input.currency)
  const given = Object.entries({ headLine, currency, dates, decimals, terminal }).filter(
    ([, value]) => value !== undefined,
  )
  const platform = input.platform ?? (platforms.length === 1 ? platforms[0] : undefined) ?? null
  return ctx.write(
    'import.begin',
    (tx) => {
      refuseGivenPassword(tx, ctx)
      refuseSecond({ db: tx })
      return tx.insert(imports, {
        fileName: input.fileName ?? null,
        dryRun: input.dryRun ?? false,
        skipErrors: input.skipErrors ?? false,
        platform,
        columns: heads,
        mapping,
        reading: Object.fromEntries(given),
        controlTotals,
        createdBy: findStaffId(ctx.principal),
      })
    },
    { answer: false },
  )
}

/** Lines with the names of their columns, and which column fills which field. */
type Table = {
  heads: string[]
  mapping: Record<string, ImportField>
  fields: ReadonlyMap<number, ImportField>
  lines: AsyncGenerator<CsvLine>
}

/** Stores lines as an import that a job checks; 409 while the firm has another open one. */
export async function receiveTable(ctx: Ctx, about: About, table: Table): Promise<Import> {
  const row = await begin(ctx, about, table.heads, table.mapping)
  const count = await receiveLines(ctx, row, table.lines, table.fields)
  return ctx.write('import.received', (tx) =>
    toImport(tx.transition(imports, row.id, importStates, 'checking', { lines: count }), [], []),
  )
}

/**
 * Takes a file of clients, accounts and opening balances. It is read and stored before the answer; a job checks and
 * imports it, and continues after a restart. 422 if the file or its columns cannot be read, 409 while the firm has
 * another open file. RULES “Moving in”.
 */
export async function beginImport(ctx: Ctx, input: ImportInput, source: CsvSource): Promise<Import> {
  refuseSecond(ctx)
  const given = Object.keys(input.mapping ?? {})
  const rate = (cells: readonly string[]): number =>
    input.mapping === undefined ? rateHeads(cells) : given.filter((head) => cells.includes(head)).length
  const table = await openTable(source, MOST_LINES, rate, input.headLine)
  try {
    const { line, cells } = table.heads
    if (cells.length > MOST_COLUMNS)
      throw invalid('csv', 'too_many', say('imports.field.columns', { most: MOST_COLUMNS }))
    const heads = cells.map(withoutControls)
    if (heads.some((head) => head.length > LONGEST_HEAD))
      throw invalid('csv', 'too_long', say('imports.field.head', { most: LONGEST_HEAD }))
    const mapping = input.mapping ?? rememberedMapping(ctx, heads) ?? guessMapping(heads)
    const fields = mapColumns(heads, mapping)
    if (!IDENTITIES.some((one) => [...fields.values()].includes(one)))
      throw invalid('mapping', 'required', say('imports.field.who'))
    return await receiveTable(ctx, { ...input, headLine: line }, { heads, mapping, fields, lines: table.lines })
  } finally {
    table.close()
  }
}

/** Answers one import with its progress, its balances and control totals, and the first mistakes. */
export function readImport(ctx: Pick<Ctx, 'db'>, id: string): Import {
  const row = ctx.db.get(imports, id)
  const columnByField = new Map(Object.entries(row.mapping).map(([column, field]) => [field, column]))
  const list = (which: 'mistakes' | 'notes') =>
    firstLines(ctx.db, id, which, ERRORS_SHOWN)
      .flatMap(({ line, errors }) =>
        errors.map(({ field, code, message }) => {
          const column = field === null ? null : (columnByField.get(field) ?? null)
          return { line, field, column, code, message }
        }),
      )
      .slice(0, ERRORS_SHOWN)
  return toImport(row, list('mistakes'), list('notes'))
}

/**
 * Confirms the control totals as a second, independent person, so that a job posts the opening balances. 403 for the
 * uploader; 409 if the totals differ, or if the import does not wait for this.
 */
export function confirmImport(
  ctx: Ctx,
  id: string,
  note: string | undefined,
  expect: number | undefined,
): Promise<Import> {
  const confirmedBy = findStaffId(ctx.principal)
  return ctx.write('import.confirm', (tx) => {
    const before = tx.get(imports, id)
    const people = readPeople(tx, tx.now)
    if (confirmedBy === null || before.createdBy === null || people.samePerson(before.createdBy, confirmedBy))
      throw importErrors.own_import()
    const refusal = whyNotVote(tx, people, confirmedBy, null, tx.now)
    if (refusal) throw refusal
    // as with adjustments, a person who could be one of the clients must not confirm a credit to themselves
    const tied = tiedToClients(tx, id, before.createdBy, tx.now)
    if (tied.some((userId) => people.samePerson(userId, confirmedBy))) throw independenceErrors.own_client()
    if (before.status === 'loaded' && toBalances(before).some(({ agrees }) => !agrees))
      throw importErrors.totals_differ()
    const changes = { confirmedBy, confirmedAt: tx.now, note: note ?? null, cursor: 0 }
    tx.transition(imports, id, importStates, 'posting', changes, { expect })
    return readImport({ db: tx }, id)
  })
}

/**
 * Undoes a whole import: balances, accounts and clients; a running import is stopped first. 409 names clients with
 * later activity. A client with activity that begins during the undo is left.
 */
export async function undoImport(ctx: Ctx, id: string, expect: number | undefined): Promise<Import> {
  const { status: found } = ctx.db.get(imports, id)
  // clients are checked only if the import can be stopped or undone, since checking thousands takes seconds
  if (!mayBecome(importStates, found, 'undoing') && !mayBecome(importStates, found, 'failed'))
    throw wrongState('import', found)
  const touched = await touchedClients(ctx, id, NAMED)
  if (touched.length > 0)
    throw importErrors.touched({ detail: say('imports.error.touched_by', { clients: touched.join(', ') }) })
  return ctx.write('import.undo', (tx) => {
    refuseGivenPassword(tx, ctx)
    const { status } = tx.get(imports, id)
    const undoneBy = findStaffId(ctx.principal)
    if (status === 'receiving' || status === 'checking') {
      // nothing was made from the file yet
      const failure = say('imports.failure.stopped')
      tx.transition(imports, id, importStates, 'failed', { failure, undoneBy, finishedAt: tx.now }, { expect })
    } else {
      if (status === 'done') refuseSecond({ db: tx })
      tx.transition(
        imports,
        id,
        importStates,
        'undoing',
        { undoneBy, failure: null, cursor: 0, finishedAt: null },
        { expect },
      )
    }
    return readImport({ db: tx }, id)
  })
}
