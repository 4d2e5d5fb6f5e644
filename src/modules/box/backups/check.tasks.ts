import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { HOUR } from '../../../platform/clock.ts'
import { runTask } from '../../../platform/query-runner/task.ts'
import { Nullable } from '../../../platform/wire/fields.ts'
import { Manifest } from './backups.archive.ts'
import { CheckReport } from './check.model.ts'
import { checkCopy } from './check-copy.tasks.ts'

/** The copy of a large box takes minutes on a slow disk; if it takes hours, something is wrong. */
export const DEADLINE = 6 * HOUR

const CheckIn = Type.Object({
  directory: Type.String(),
  key: Type.String(),
  now: Type.Integer(),
  manifest: Nullable(Manifest),
  papers: Type.Optional(Type.Boolean()),
})

/** Proves a copy of the databases in a child. Its input, with the key, comes on standard input. */
export const checkTask = async (input: unknown): Promise<CheckReport> => {
  const { key, ...parts } = Value.Decode(CheckIn, input)
  const bytes = new Uint8Array(Buffer.from(key, 'base64'))
  return checkCopy({ ...parts, key: bytes })
}

/** Starts the child that proves a copy. */
export async function checkApart(
  { key, ...parts }: Omit<Static<typeof CheckIn>, 'key'> & { key: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<CheckReport> {
  const input = { ...parts, key: Buffer.from(key).toString('base64') }
  const options = { deadlineMs: DEADLINE, background: true, ...(signal && { signal }) }
  return Value.Decode(CheckReport, await runTask('backups.check', input, options))
}
