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

/** The work on copies: a snapshot or a drill, one after the other. */
export type Work = Static<typeof WorkWord>

/** Gives out turns of a directory, which commands beside this process take too. */
export function createTurns(dataDir: string) {
  const running = new Set<Work>()
  let last: Promise<unknown> = Promise.resolve()

  /** Refuses work that runs or waits already, and work without room. */
  function demand(what: Work): void {
    if (running.has(what)) throw backupErrors.running()
    if (!hasRoomForCopy(dataDir)) throw backupErrors.no_room()
  }
  /** Does work after the running one, and after `after`; it fails if that fails. */
  async function alone<T>(what: Work, run: () => Promise<T>, after?: Promise<unknown>): Promise<T> {
    demand(what)
    running.add(what)
    const locked = async (): Promise<T> => {
      await after
      // a command beside the server makes copies in the same places too
      const lock = lockCopies(dataDir, () => backupErrors.running())
      return run().finally(() => lock.close())
    }
    const mine = last.then(locked).finally(() => running.delete(what))
    last = mine.catch(() => {})
    return mine
  }

  return { demand, alone, running: (): Work[] => [...running] }
}
