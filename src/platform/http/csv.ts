import { stringify } from 'csv-stringify/sync'
import { KIB } from '../bytes.ts'

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

/**
 * A CSV download that streams batch by batch, giving the event loop back between them, so that an export of any size
 * holds neither memory nor other requests. `columns` are header names in order; each row an array in that order.
 */
export function csvResponse(
  filename: string,
  columns: readonly string[],
  batches: Iterable<Batch> | AsyncIterable<Batch>,
): Response {
  const iterator = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]()
  const encoder = new TextEncoder()
  let rest: Uint8Array = new Uint8Array()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(stringify([[...columns]]))),
    pull: async (controller) => {
      await Bun.sleep(0)
      if (rest.byteLength === 0) {
        const next = await iterator.next()
        if (next.done) return controller.close()
        rest = next.value instanceof Uint8Array ? next.value : encoder.encode(csvText(next.value))
      }
      controller.enqueue(rest.subarray(0, PIECE))
      rest = rest.subarray(PIECE)
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
    },
  })
}
