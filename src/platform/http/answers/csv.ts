import { stringify } from 'csv-stringify/sync'
import type { Ctx } from '../../access/ctx.ts'
import { KIB, MIB } from '../../bytes.ts'
import { downloadsOf } from './downloads.ts'

/** Starts a formula, in full-width form too, as Japanese input writes it. */
const FORMULA = /^[=+@\t\r＝＋－＠]|^-(?!\d{1,30}(?:\.\d{1,30})?$)/
/** The same after something that a spreadsheet of another country, or a paste, takes for the end of a cell. */
const INNER_FORMULA = /([;,\t\r\n]["' ]{0,9})(?=[=+@＝＋－＠]|-(?!\d{1,30}(?:\.\d{1,30})?(?:[\s;,\]}"']|$)))/g

/**
 * A cell that a spreadsheet would run as a formula is defused with an
 * apostrophe, at its start and wherever it might be cut (CSV injection).
 */
export const defuse = (value: unknown): string => {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const inner = text.replace(INNER_FORMULA, "$1'")
  return FORMULA.test(text) ? `'${inner}` : inner
}

/** Rows, or the bytes of their text where another process made it by `csvText`. */
type Batch = readonly (readonly unknown[])[] | Uint8Array
/** Bytes that are handed to the network at once: sending more of them holds other requests for milliseconds. */
const PIECE = 256 * KIB

/** Rows as the text of a CSV file, each cell defused. */
export const csvText = (rows: readonly (readonly unknown[])[]): string => stringify(rows.map((row) => row.map(defuse)))

/** What a batch of rows of a list takes at most, until it is fetched. */
const MOST_HELD = 2 * MIB

/** The bytes of a file, piece by piece. Throws once whoever asked may ask no more. */
async function* piecesOf(
  ctx: Ctx,
  columns: readonly string[],
  batches: Iterable<Batch> | AsyncIterable<Batch>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(stringify([[...columns]]))
  try {
    for await (const batch of batches) {
      const bytes = batch instanceof Uint8Array ? batch : encoder.encode(csvText(batch))
      for (let at = 0; at < bytes.byteLength; at += PIECE) {
        await Bun.sleep(0)
        if (!ctx.stillHolds()) throw new Error('the session that asked for the file is over')
        // a copy: a view that waits in a socket would hold the whole of it
        yield bytes.slice(at, at + PIECE)
      }
    }
  } catch (error) {
    // who fetches it sees a connection that ends: why it did stands nowhere else
    ctx.log.warn({ err: error, tenantId: ctx.tenantId }, 'a file broke off')
    throw error
  }
}

/**
 * A CSV download that streams batch by batch, giving the event loop back between them, so that an export of any size
 * holds neither memory nor other requests. `columns` are header names in order; each row an array in that order. It
 * counts as a download until it is fetched (429 `too_many_bytes`), at `most` bytes a batch, and breaks off when the
 * session, key or view that asked is over.
 */
export const csvResponse = (
  ctx: Ctx,
  filename: string,
  columns: readonly string[],
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  most = MOST_HELD,
): Response =>
  downloadsOf(ctx).sendPieces(
    ctx,
    most,
    {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
    },
    piecesOf(ctx, columns, batches),
  )
