import { SECOND } from '../clock.ts'
import type { Connection } from './sftp-connection.ts'
import { isAbsent } from './store.ts'

/** A connection on which nothing happens for so long is ended: the lease alone is renewed more often. */
const IDLE = 30 * SECOND

/**
 * Does something over the connection; what takes long calls `alive` while it gets on. After a failure the next one
 * begins with a new connection, and nothing waits for the old one any more.
 */
type Over<Sftp> = <T>(work: (sftp: Sftp, alive: () => void) => Promise<T>) => Promise<T>

/** Keeps one connection while it is used; `dial` opens another one. */
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
