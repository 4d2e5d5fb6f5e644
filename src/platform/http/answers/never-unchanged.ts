const alwaysSent = new WeakSet<object>()

/**
 * Marks an answer that has more than its row, such as the progress of a job. It is sent whatever `If-None-Match` says,
 * since the version in its ETag is that of the row alone.
 */
export function markAlwaysSent<T extends object>(answer: T): T {
  alwaysSent.add(answer)
  return answer
}

/** Returns whether `markAlwaysSent` marked an answer. */
export const isAlwaysSent = (answer: object): boolean => alwaysSent.has(answer)
