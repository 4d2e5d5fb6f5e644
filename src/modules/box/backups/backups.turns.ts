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

/** What is done with the copies: a snapshot is taken, or a drill proves them; one waits for the other. */
export type Work = Static<typeof WorkWord>

/** Gives out the turns of a directory, which commands beside this process take as well. */
export function createTurns(dataDir: string) {
  const running = new Set<Work>()
  let last: Promise<unknown> = Promise.resolve()

  /** Refuses what is being done or waits already, and what there is no room for. */
  function demand(what: Work): void {
    if (running.has(what)) throw backupErrors.running()
    if (!hasRoomForCopy(dataDir)) throw backupErrors.no_room()
  }
  /** Does something when what runs is over, and `after` too; it fails where that fails. */
  async function alone<T>(what: Work, run: () => Promise<T>, after?: Promise<unknown>): Promise<T> {
    demand(what)
    running.add(what)
    const locked = async (): Promise<T> => {
      await after
      // a command beside the server makes copies too, in the same places
      const lock = lockCopies(dataDir, () => backupErrors.running())
      return run().finally(() => lock.close())
    }
    const mine = last.then(locked).finally(() => running.delete(what))
    last = mine.catch(() => {})
    return mine
  }

  return { demand, alone, running: (): Work[] => [...running] }
}
