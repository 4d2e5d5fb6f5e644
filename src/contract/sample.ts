import { PNG } from './makers-papers.ts'
import type { Acting, Place } from './seed-firm.ts'

/** A request that must succeed. `path` has its parameters filled; `status` is set if success has an unusual one. */
export type Sample = {
  path: string
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
  status?: number
}
export type Make = (place: Place, acting: Acting) => Sample | Promise<Sample>

/** Makes a request about a new row made by `make`, for an operation that uses the row up. */
export const on =
  (
    make: (place: Place, acting: Acting) => Promise<string>,
    body?: Readonly<Record<string, unknown>> | ((place: Place) => object | Promise<object>),
  ): Make =>
  async (place, acting) => {
    const sent = typeof body === 'function' ? await body(place) : body
    return { path: await make(place, acting), ...(sent === undefined ? {} : { body: sent }) }
  }
/** Makes a request about the rows that the firm has. */
export const body =
  (make: (place: Place, acting: Acting) => object | Promise<object>): Make =>
  async (place, acting) => ({ path: '', body: await make(place, acting) })

/** Returns the trader who acts, or else the firm's first client. */
export const pickClient = (place: Place, { trader }: Acting): string => trader ?? place.client
export const png = { contentType: 'image/png', fileSize: PNG.byteLength }
