import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the directory of a standby below a data directory: its id, its socket, the followed files and the copies. */
export const standbyDirectory = (dataDir: string): string => join(dataDir, 'standby')

/** Returns the file with the id of a standby, under which it shows itself at its place. */
export const standbyIdPath = (dataDir: string): string => join(standbyDirectory(dataDir), 'id')

/** Returns whether a data directory is that of a standby, and has no data of a server. */
export const isOfStandby = (dataDir: string): boolean =>
  existsSync(standbyIdPath(dataDir)) && !existsSync(join(dataDir, 'brokerbase.db'))

/** Returns the directory of the files that a standby follows. */
export const followedDirectory = (dataDir: string): string => join(standbyDirectory(dataDir), 'followed')
