import { SECOND } from '../clock.ts'
import type { Connection } from './sftp-connection.ts'
import { isAbsent } from './store.ts'

/** A connection that is idle for this long is ended; while a server holds the place, the lease uses it more often. */
const IDLE = 30 * SECOND

/**
 * Runs `work` over the connection; work that takes long calls `alive` while it makes progress. After a failure the next
 * call begins with a new connection, and all calls over the old one fail.
 */
type Over<Sftp> = <T>(work: (sftp: Sftp, alive: () => void) => Promise<T>) => Promise<T>

/** Keeps one connection open while it is used; `dial` opens a new one. */
export function keepConnection<Sftp>(dial: () => Promise<Connection<Sftp>>, patience: number): Over<Sftp> {
  let open: Promise<Connection<Sftp>> | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let using = 0

  const forget = (): void => {
    const last = open
    open = undefined
    last?.then(({ end }) => end()).catch(() => {})
  }

  return async (work) => {
    clearTimeout(idle)
    using += 1
    open ??= dial()
    const mine = open
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('the host did not answer in time')), patience)
    try {
      const connection = await Promise.race([open, late])
      connection.hold()
      const alive = (): void => void timer.refresh()
      return await Promise.race([work(connection.sftp, alive).finally(connection.release), late])
    } catch (error) {
      if (!isAbsent(error)) {
        if (open === mine) open = undefined
        mine.then(({ destroy }) => destroy()).catch(() => {})
      }
      throw error
    } finally {
      clearTimeout(timer)
      using -= 1
      if (using === 0) idle = setTimeout(forget, IDLE).unref()
    }
  }
}
