import { stringify } from 'csv-stringify/sync'

/** A cell that a spreadsheet would run as a formula is defused with a leading apostrophe (CSV injection). */
const defuse = (value: unknown): string => {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text
}

/**
 * A CSV download that streams batch by batch, giving the event loop back between them, so that an export of any size holds neither memory nor other
 * requests. `columns` are header names in order; each row an array in that order.
 */
export function csvResponse(
  filename: string,
  columns: readonly string[],
  batches: Iterable<readonly (readonly unknown[])[]>,
): Response {
  const iterator = batches[Symbol.iterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(stringify([[...columns]]))),
    pull: async (controller) => {
      await Bun.sleep(0)
      const next = iterator.next()
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(stringify(next.value.map((row) => row.map(defuse)))))
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
    },
  })
}
