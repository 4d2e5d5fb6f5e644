import { constants, copyFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../clock.ts'
import { openReader } from '../sqlite.ts'

const Input = Type.Object({ from: Type.String(), to: Type.String() })

/** The engine holds the lock while it applies one change. */
const APPLIES_FOR = 10 * SECOND

/**
 * Copies a followed file under a lock of SQLite, during which the engine applies no change. A child does this, because
 * a process loses all its locks of a file as soon as it closes that file once. The copy shares its blocks with the
 * original where the file system can do that.
 */
export function copyFollowedTask(input: unknown): null {
  const { from, to } = Value.Decode(Input, input)
  const reader = openReader(from)
  reader.raw.run(`PRAGMA busy_timeout = ${APPLIES_FOR}`)
  reader.raw.run('BEGIN')
  reader.get('SELECT count(*) FROM sqlite_schema')
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  reader.close()
  return null
}
