import { stringify } from 'csv-stringify/sync'
import { defuseText } from '../../../words/csv-guard.ts'
import type { Ctx } from '../../access/ctx.ts'
import { KIB, MIB } from '../../bytes.ts'
import { getDownloads } from './downloads.ts'

/** Returns the text of a cell, with an apostrophe before what a spreadsheet would run as a formula. */
export const defuse = (value: unknown): string =>
  defuseText(
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
  )

/** Rows, or the bytes of CSV text that `csvText` made in another process. */
type Batch = readonly (readonly unknown[])[] | Uint8Array
/** This many bytes are sent at once: more would block other requests for milliseconds. */
const PIECE = 256 * KIB

/** Returns rows as the text of a CSV file, each cell defused. */
export const csvText = (rows: readonly (readonly unknown[])[]): string => stringify(rows.map((row) => row.map(defuse)))

/** Excel reads a file with this mark at its beginning as UTF-8, and any other in the code page of its own country. */
const UTF8_MARK = '\ufeff'

/** A batch of a list's rows takes at most this much memory until it is read. */
const MOST_HELD = 2 * MIB

/** Yields the bytes of a file, piece by piece. Throws once the caller has lost the right to it. */
async function* encodeBatches(
  ctx: Ctx,
  columns: readonly string[],
  batches: Iterable<Batch> | AsyncIterable<Batch>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(UTF8_MARK + stringify([[...columns]]))
  try {
    for await (const batch of batches) {
      const bytes = batch instanceof Uint8Array ? batch : encoder.encode(csvText(batch))
      for (let at = 0; at < bytes.byteLength; at += PIECE) {
        await Bun.sleep(0)
        if (!ctx.stillHolds()) throw new Error('the session that asked for the file is over')
        // a copy, since a view that waits in a socket would keep the whole buffer
        yield bytes.slice(at, at + PIECE)
      }
    }
  } catch (error) {
    // the reader only sees a closed connection, so the reason is logged
    ctx.log.warn({ err: error, tenantId: ctx.tenantId }, 'a file broke off')
    throw error
  }
}

/**
 * Streams a CSV file batch by batch. Other requests run between batches, so an export of any size needs little memory.
 * `columns` are header names in order; each row is an array in that order. The file counts as a download of `most`
 * bytes until it is read (429 `too_many_bytes`), and breaks off when the session, key or view ends.
 */
export const csvResponse = (
  ctx: Ctx,
  filename: string,
  columns: readonly string[],
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  most = MOST_HELD,
): Response =>
  getDownloads(ctx).sendPieces(
    ctx,
    most,
    {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
    },
    encodeBatches(ctx, columns, batches),
  )
