import {
  closeSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants

/** The names of our files. Only these change their owner, since a restore may target a directory with other files. */
const OURS =
  /^(brokerbase\.db|files\.db|secret\.key|replica\.json|swap\.json|serve\.lock|copies\.lock|engine|snapshots|spool|tls|before-restore-|brokerbase-scratch-)/

/**
 * Gives root's files below a directory to a user. Each directory is held open meanwhile, and no link is followed, so
 * that no file elsewhere can change its owner this way.
 */
function give(path: string, uid: number, gid: number, isMeant = (_: string): boolean => true): void {
  const directory = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  const here = `/proc/self/fd/${directory}`
  try {
    for (const name of readdirSync(here).filter(isMeant)) {
      const entry = `${here}/${name}`
      try {
        const found = lstatSync(entry)
        const isDirectory = found.isDirectory()
        if (isDirectory) give(entry, uid, gid)
        if (found.uid === 0 && (isDirectory || found.nlink === 1)) lchownSync(entry, uid, gid)
      } catch (error) {
        // a server beside it may have removed it meanwhile
        if (existsSync(entry)) throw error
      }
    }
  } finally {
    closeSync(directory)
  }
}

/**
 * Gives files that a command of root made in a user's data directory to that user, whose server could not open them
 * otherwise. Does nothing for other users, and in a directory of root.
 */
export function handOver(dataDir: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) give(realpathSync(dataDir), owner.uid, owner.gid, (name) => OURS.test(name))
}
