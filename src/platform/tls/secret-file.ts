import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'

/** Writes a file with mode 0600, completely or not at all. */
export function writeSecretFile(path: string, text: string): void {
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  const file = openSync(partial, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  chmodSync(partial, 0o600)
  renameSync(partial, path)
}

/** Returns the text of a file; undefined if it does not exist. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
