import { Database } from 'bun:sqlite'
import { constants, copyFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../clock.ts'

const Input = Type.Object({
  from: Type.String(),
  to: Type.String(),
  /** The time (ms) that is waited for the lock, which the engine has while it applies one change. */
  patience: Type.Optional(Type.Integer()),
})

/**
 * Copies a followed file under a lock of SQLite, during which the engine applies no change. A child does this, because
 * a process loses all its locks of a file as soon as it closes that file once. The copy shares its blocks with the
 * original where the file system can do that. Throws if the lock is not free in time.
 */
export function copyFollowedTask(input: unknown): null {
  const { from, to, patience = 10 * SECOND } = Value.Decode(Input, input)
  // without the settings of `openReader`, each of which would wait for the lock by itself
  const reader = new Database(from, { readonly: true })
  try {
    reader.run(`PRAGMA busy_timeout = ${patience}`)
    reader.run('BEGIN')
    reader.prepare('SELECT count(*) FROM sqlite_schema').get()
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
  } finally {
    reader.close()
  }
  return null
}
