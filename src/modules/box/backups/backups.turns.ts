import type { Static } from '@sinclair/typebox'
import { lockCopies } from '../../../platform/db/lock.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import type { WorkWord } from './backups.model.ts'
import { hasRoomForCopy } from './backups.places.ts'

const backupErrors = defineErrors('backups', () => ({
  running: [409, say('system.error.running'), say('system.todo.running')],
  no_room: [507, say('system.error.no_room'), say('system.todo.no_room')],
}))

/** The kinds of work on copies, which run one after the other: a snapshot or a drill. */
export type Work = Static<typeof WorkWord>

/** Makes snapshots and drills of a directory take turns, also with those of commands beside this process. */
export function createTurns(dataDir: string) {
  const running = new Set<Work>()
  let last: Promise<unknown> = Promise.resolve()

  /** Refuses work that already runs or waits, and work without disk space. */
  function demand(what: Work): void {
    if (running.has(what)) throw backupErrors.running()
    if (!hasRoomForCopy(dataDir)) throw backupErrors.no_room()
  }
  /** Does work after the running work and after `after`, and fails if `after` fails. */
  async function alone<T>(what: Work, run: () => Promise<T>, after?: Promise<unknown>): Promise<T> {
    demand(what)
    running.add(what)
    const locked = async (): Promise<T> => {
      await after
      // a command beside the server makes copies in the same directories
      const lock = lockCopies(dataDir, () => backupErrors.running())
      return run().finally(() => lock.close())
    }
    const mine = last.then(locked).finally(() => running.delete(what))
    last = mine.catch(() => {})
    return mine
  }

  return { demand, alone, running: (): Work[] => [...running] }
}
