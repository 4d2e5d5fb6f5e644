import { SECOND } from '../clock.ts'

/** An engine that is dead checkpoints nothing: after so long the databases do it by themselves again. */
const CHECKPOINTS_AFTER = 10 * SECOND
/** Pages of log after which SQLite checkpoints where nobody else does. */
const OWN_CHECKPOINTS = 1000
/**
 * Until the engine lives it needs what is in the log; beyond so many pages, 256 MiB, it is cheaper for it to begin with
 * another snapshot. A server that is killed within its first seconds again and again would fill the disk otherwise.
 */
const MOST_PAGES_BEFORE_ENGINE = 65_536

/** Decides who checkpoints the databases: the engine while it lives, SQLite where it has been dead for a while. */
export type Checkpoints = {
  /** Before the first engine. */
  begin(): void
  engineLives(isAlive: boolean): void
  /** Before the databases are closed: nothing is changed from now on. */
  stop(): void
}

/** `checkpointAfter` sets after how many pages of log the databases checkpoint; 0 leaves it to the engine. */
export function createCheckpoints(checkpointAfter: (pages: number) => void): Checkpoints {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const engineLives = (isAlive: boolean): void => {
    clearTimeout(timer)
    // the databases are closed by then
    if (isOver) return
    if (isAlive) checkpointAfter(0)
    else timer = setTimeout(() => checkpointAfter(OWN_CHECKPOINTS), CHECKPOINTS_AFTER)
  }
  return {
    begin: () => {
      checkpointAfter(MOST_PAGES_BEFORE_ENGINE)
      engineLives(false)
    },
    engineLives,
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
