import { SECOND } from '../clock.ts'

/** An engine that has ended makes no checkpoints: after this time the databases make them again. */
const CHECKPOINTS_AFTER = 10 * SECOND
/** The pages of log after which SQLite makes a checkpoint if the engine does not. */
const OWN_CHECKPOINTS = 1000
/**
 * Before the engine runs, the log keeps the pages that it will need, up to this number (256 MiB); beyond, another
 * snapshot is cheaper. Otherwise a server that is repeatedly killed within its first seconds would fill the disk.
 */
const MOST_PAGES_BEFORE_ENGINE = 65_536

/** Decides what makes checkpoints of the databases: the engine while it runs, SQLite if it has ended for a while. */
export type Checkpoints = {
  /** Called before the first engine starts. */
  begin(): void
  engineLives(isAlive: boolean): void
  /** Called before the databases are closed: nothing is set after it. */
  stop(): void
}

/** `checkpointAfter` sets the pages of log after which the databases make a checkpoint; 0 leaves it to the engine. */
export function createCheckpoints(checkpointAfter: (pages: number) => void): Checkpoints {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const engineLives = (isAlive: boolean): void => {
    clearTimeout(timer)
    // after the stop the databases are closed
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
