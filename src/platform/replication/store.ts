/** Small things, and whole snapshots, beside the replica. Names are paths below the place, with slashes. */
export type Store = {
  /** What a name holds; undefined where there is nothing. */
  read(name: string): Promise<Uint8Array | undefined>
  /** Puts it there whole, or not at all. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** All names that begin with this one and a slash. */
  list(name: string): Promise<string[]>
  /** Whether a name is there. */
  has(name: string): Promise<boolean>
  /** The first parts of the names that have more than one. */
  folders(): Promise<string[]>
  remove(name: string): Promise<void>
  /** As `write`, of a file. */
  upload(name: string, path: string): Promise<void>
  /** Writes what a name holds to a new file (0600). Throws where there is nothing. */
  download(name: string, path: string): Promise<void>
}

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
