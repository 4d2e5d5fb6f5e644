/** The store of notes and snapshots beside the replica. Names are paths below the place, with slashes. */
export type Store = {
  /** Reads the object of a name; undefined if there is none. */
  read(name: string): Promise<Uint8Array | undefined>
  /** Writes an object completely, or not at all. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Returns all names that begin with the given name and a slash. */
  list(name: string): Promise<string[]>
  /** Returns whether a name exists. */
  has(name: string): Promise<boolean>
  /** Returns the first part of each name that has a slash, once. */
  folders(): Promise<string[]>
  remove(name: string): Promise<void>
  /** As `write`, with the content of a file. */
  upload(name: string, path: string): Promise<void>
  /** Writes the object of a name to a new file (0600). Throws if there is none. */
  download(name: string, path: string): Promise<void>
}

/** The codes of a directory, a bucket and a host (draft-ietf-secsh-filexfer-02 §7) for a missing name. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'NoSuchKey', 2])

export const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && ABSENT.has(error.code)

/** Resolves as the promise does, but with undefined if it rejects because of a missing name. */
export async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}
