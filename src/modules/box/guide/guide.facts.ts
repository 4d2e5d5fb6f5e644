import type { RateLimits } from '../../../platform/http/front/rate-limit.ts'

/** What the pages say of the server that serves them. */
export type Facts = {
  publicUrl: string
  rateLimits: RateLimits
  /** Statuses that each operation documents, by its id. */
  operations: ReadonlyMap<string, readonly number[]>
}
