import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { CsvLine } from '../../../platform/http/body/csv-reader.ts'
import { invalid, Problem, wrongState } from '../../../platform/problem.ts'
import { withoutControls } from '../../../platform/wire/formats.ts'
import { say } from '../../../words/say.ts'
import type { ImportField } from './imports.fields.ts'
import { type Arrived, keepLines, readCells } from './imports.raw-lines.ts'
import { importStates } from './imports.states.ts'
import { type ImportRow, imports } from './imports.table.ts'

/** One write stores this many lines while a file arrives. */
const BATCH = 500
/** A cell may have this many characters, which is more than any field of a client or an account. */
const LONGEST_CELL = 4000

/** The imports whose files are arriving in this process; their ids are unique in all boxes. */
const coming = new Set<string>()
/** Returns whether the file of an import is arriving in this process. */
export const isReceived = (id: string): boolean => coming.has(id)

/** Fails an import whose file did not arrive completely; an import that was stopped meanwhile stays as it is. */
export function failReceiving(tx: Tx, id: string, failure: string): null {
  if (tx.get(imports, id).status === 'receiving')
    tx.transition(imports, id, importStates, 'failed', { failure, finishedAt: tx.now })
  return null
}

/** Stores the lines of a file while they arrive, and returns how many there are. */
async function keepAll(
  ctx: Ctx,
  row: ImportRow,
  lines: AsyncGenerator<CsvLine>,
  fields: ReadonlyMap<number, ImportField>,
): Promise<number> {
  const hash = (externalId: string): string => ctx.secrets.sign('import client', externalId)
  const shape = { fields, platform: row.platform, width: row.columns.length }
  let count = 0
  let waiting: Arrived[] = []
  const keep = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    await ctx.write(
      'import.receive',
      (tx) => {
        // an import that was stopped accepts no more lines
        const { status } = tx.get(imports, row.id)
        if (status !== 'receiving') throw wrongState('import', status)
        keepLines(tx, row.id, batch, hash)
        return null
      },
      { answer: false },
    )
  }
  for await (const { cells, line } of lines) {
    count += 1
    if (cells.some((cell) => cell.length > LONGEST_CELL))
      throw invalid('csv', 'too_long', say('imports.field.cell', { line, most: LONGEST_CELL }))
    // invisible characters are removed, since a line should not be refused for them
    waiting.push({ line, cells: readCells(cells.map(withoutControls), shape) })
    if (waiting.length === BATCH) await keep()
  }
  await keep()
  return count
}

/** Receives the lines of a file. If it is interrupted or cannot be read, the import fails with that reason. */
export async function receiveLines(
  ctx: Ctx,
  row: ImportRow,
  lines: AsyncGenerator<CsvLine>,
  fields: ReadonlyMap<number, ImportField>,
): Promise<number> {
  coming.add(row.id)
  try {
    return await keepAll(ctx, row, lines, fields)
  } catch (error) {
    const failure =
      error instanceof Problem ? (error.errors[0]?.message ?? error.message) : say('imports.failure.broken')
    await ctx.write('import.received', (tx) => failReceiving(tx, row.id, failure), { answer: false })
    throw error
  } finally {
    coming.delete(row.id)
  }
}
