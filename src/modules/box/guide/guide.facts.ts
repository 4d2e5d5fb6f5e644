import type { RateLimits } from '../../../platform/http/front/rate-limit.ts'

/** The facts about this server that the pages show. */
export type Facts = {
  publicUrl: string
  rateLimits: RateLimits
  /** The statuses that each operation documents, by its id. */
  operations: ReadonlyMap<string, readonly number[]>
}
