import type { AsyncLocalStorage } from 'node:async_hooks'
/** What a write may ask for beside its rows. */
export type WriteHooks = {
  /**
   * Runs when this write has ended without an error, before COMMIT: it promotes in-memory state that the next write
   * must see.
   */
  onKept: (() => void) | undefined
  /** Is set by a write about money, whose answer may have to wait for the replica. */
  isMoney: boolean
}

/** The steps of a long write: a generator that yields often. */
export type Steps = (hooks: WriteHooks) => Generator<void, unknown>

/** A write that waits for its turn. */
export type Queued = {
  /** A short write, or the steps of a long one. */
  work: { run: (hooks: WriteHooks) => unknown } | { steps: Steps }
  /** Calls a function in the async context of the write's caller; a write runs in the context of another caller. */
  within: ReturnType<typeof AsyncLocalStorage.snapshot>
  /** The answer waits for this disk only, never for the replica. */
  local: boolean
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** The writes that wait, the oldest first. */
export type Queue = { items: Queued[] }

/** What the writer asks before it sends an answer. */
export type ReplicaGate = {
  /** Returns whether a write has to wait: one about money, or any. */
  wants(isMoney: boolean): boolean
  /** Throws `ReplicaAway` before a write that would have to wait for a replica that is known to be out of reach. */
  demand(): void
  /** Notes each COMMIT before a caller waits for it. */
  committed(): void
  /**
   * Throws `ReplicaBehind` while the replica lacks a write that was answered by a 503: repeating the stored answer
   * would acknowledge it.
   */
  demandOwed(): void
  /** Resolves once the replica has all that was committed when it was called; rejects with `ReplicaBehind`. */
  reached(): Promise<void>
}
