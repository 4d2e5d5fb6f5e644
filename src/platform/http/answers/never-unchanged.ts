const said = new WeakSet<object>()

/**
 * Marks an answer that says more than its row, such as the progress of something that goes on: its version tells what
 * may be changed over, not whether a reader has seen it, so it is sent whatever `If-None-Match` says.
 */
export function anew<T extends object>(answer: T): T {
  said.add(answer)
  return answer
}

/** Whether an answer was marked so. */
export const isAnew = (answer: object): boolean => said.has(answer)
