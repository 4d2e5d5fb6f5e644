import { PNG } from './makers-papers.ts'
import type { Acting, Place } from './seed-firm.ts'

/** A request that must succeed. `path` has its parameters; `status` where success is not the rule. */
export type Sample = {
  path: string
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
  status?: number
}
export type Make = (place: Place, acting: Acting) => Sample | Promise<Sample>

/** Acts on a fresh row made by `make`, since the operation uses it up. */
export const on =
  (
    make: (place: Place, acting: Acting) => Promise<string>,
    body?: Readonly<Record<string, unknown>> | ((place: Place) => object | Promise<object>),
  ): Make =>
  async (place, acting) => {
    const sent = typeof body === 'function' ? await body(place) : body
    return { path: await make(place, acting), ...(sent === undefined ? {} : { body: sent }) }
  }
/** Acts on the furnished rows. */
export const body =
  (make: (place: Place, acting: Acting) => object | Promise<object>): Make =>
  async (place, acting) => ({ path: '', body: await make(place, acting) })

/** The trader who acts, or the one who is furnished. */
export const clientOf = (place: Place, { trader }: Acting): string => trader ?? place.client
export const png = { contentType: 'image/png', fileSize: PNG.byteLength }
