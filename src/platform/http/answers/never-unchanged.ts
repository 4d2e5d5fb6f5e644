const said = new WeakSet<object>()

/**
 * Marks an answer that has more than its row, such as the progress of a job. It is sent whatever `If-None-Match` says,
 * since the version in its ETag is that of the row alone.
 */
export function anew<T extends object>(answer: T): T {
  said.add(answer)
  return answer
}

/** Returns whether `anew` marked an answer. */
export const isAnew = (answer: object): boolean => said.has(answer)
