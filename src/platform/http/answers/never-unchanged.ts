const said = new WeakSet<object>()

/**
 * Marks an answer with more than its row, such as the progress of a job. Its version is for changes only, so it is sent
 * whatever `If-None-Match` says.
 */
export function anew<T extends object>(answer: T): T {
  said.add(answer)
  return answer
}

/** Returns whether an answer was marked so. */
export const isAnew = (answer: object): boolean => said.has(answer)
