import { constants, copyFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../clock.ts'
import { lockFollowed } from './followed-file.ts'

const Input = Type.Object({
  from: Type.String(),
  to: Type.String(),
  /** The time (ms) that is waited while the engine applies one change. */
  patience: Type.Optional(Type.Integer()),
})

/**
 * Copies a followed file while the engine applies no change to it; in a child, since the locks of a process end when it
 * closes the file, as copying does. The copy shares its blocks with the original where the file system can do that.
 */
export function copyFollowedTask(input: unknown): null {
  const { from, to, patience = 10 * SECOND } = Value.Decode(Input, input)
  const release = lockFollowed(from, patience)
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
  } finally {
    release()
  }
  return null
}
