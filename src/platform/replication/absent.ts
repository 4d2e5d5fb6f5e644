/** What a directory, a bucket and a host (draft-ietf-secsh-filexfer-02 §7) say of a name that is not there. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'NoSuchKey', 2])

export const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && ABSENT.has(error.code)

/** What a promise resolves with, or undefined where it says that there is nothing. */
export async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}
