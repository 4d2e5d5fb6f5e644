import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Asks the system for a right; tests put a refusal in its place, since root may do everything. */
export const rights = { ask: accessSync }

const RIGHTS = [
  [constants.X_OK, 'entered'],
  [constants.R_OK, 'read'],
  [constants.W_OK, 'written'],
] as const

const codeIn = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Returns why a path cannot be used in one way, and what to do; undefined if the error is not about rights. */
function explain(path: string, right: string, error: unknown): string | undefined {
  const code = codeIn(error)
  const otherwise = 'name another directory by --data-dir'
  if (code === 'EROFS')
    return `${path} cannot be ${right}: its file system is mounted for reading only. Mount it for writing, or ${otherwise}.`
  if (code !== 'EACCES' && code !== 'EPERM') return undefined
  const user = process.getuid?.() ?? 'that runs it'
  return `${path} may not be ${right} by this user. Give it to them (chown -R ${user} ${path}), or ${otherwise}.`
}

/** Throws a sentence if an existing path may not be used: which right is missing, and what to do. */
function mustHaveRights(path: string, isMeant: (right: string) => boolean): void {
  for (const [mode, right] of RIGHTS.filter(([, name]) => isMeant(name)))
    try {
      rights.ask(path, mode)
    } catch (error) {
      const why = explain(path, right, error)
      if (why !== undefined) throw new Error(why, { cause: error })
    }
}

/**
 * Throws a sentence if this user may not use a database file: its directory, the file or those of its log. SQLite
 * itself says only that it is unable to open the file. A file that does not exist is not an error here.
 */
export function mustBeUsable(path: string, { writes }: { writes: boolean }): void {
  const isMeant = (right: string): boolean => writes || right !== 'written'
  mustHaveRights(dirname(resolve(path)), isMeant)
  for (const file of [path, `${path}-wal`, `${path}-shm`].filter((one) => existsSync(one))) {
    if (statSync(file).isDirectory())
      throw new Error(`${file} is a directory, where there has to be a file. Move it away, or restore a copy.`)
    mustHaveRights(file, (right) => right !== 'entered' && isMeant(right))
  }
}

/** Makes a data directory that only its user may use; throws a sentence if it cannot be made. */
export function makeDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const code = codeIn(cause)
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new Error(`${path} is no directory. Name one by --data-dir.`, { cause })
    let above = dirname(resolve(path))
    while (!existsSync(above)) above = dirname(above)
    throw new Error(explain(above, 'written', cause) ?? `${path} cannot be made: ${String(cause)}`, { cause })
  }
}
