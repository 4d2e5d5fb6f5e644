/** What a write may ask for beside its rows. */
export type WriteHooks = {
  /**
   * Runs when this write's savepoint is released, before COMMIT: promote in-memory state that the next write must see.
   */
  onRelease: (() => void) | undefined
  /** Set by a write about money: its answer may have to wait for the replica. */
  isMoney: boolean
}

/** The steps of a long write: a generator that yields often. */
export type Steps = (hooks: WriteHooks) => Generator<void, unknown>

/** A write that waits for its turn. */
export type Queued = {
  /** A short write, or the steps of a long one. */
  work: { run: (hooks: WriteHooks) => unknown } | { steps: Steps }
  /** It is answered from this disk alone, whatever waits for the replica. */
  local: boolean
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** The writes that wait, the oldest first. */
export type Queue = { items: Queued[] }
