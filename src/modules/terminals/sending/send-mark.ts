import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readIfThere, writeSecretFile } from '../../../platform/tls/secret-file.ts'

/** What was sent last from this directory: the instruction, and the history of the replica that it was written to. */
const Mark = Type.Object({
  tenantId: Type.String(),
  last: Type.String(),
  lineage: Type.Union([Type.String(), Type.Null()]),
})
export type SendMark = Static<typeof Mark>

const findPath = (dataDir: string): string => join(dataDir, 'sent.json')

/** Notes beside the database what was sent last, before it is sent. */
export const writeSendMark = (dataDir: string, mark: SendMark): void =>
  writeSecretFile(findPath(dataDir), JSON.stringify(mark))

/** Returns what was sent last from this directory; undefined if nothing was. */
export function readSendMark(dataDir: string): SendMark | undefined {
  try {
    const mark: unknown = JSON.parse(readIfThere(findPath(dataDir)) ?? 'null')
    return Value.Check(Mark, mark) ? mark : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns whether the database may be older than what was sent: it was put back, or it is a copy in another directory,
 * or its replica begins another history. `wasSent` answers whether the database knows that an instruction was sent, and
 * `hasSent` whether it knows of any. A terminal may then have booked what the database says was never sent.
 */
export function mayBeOlder(
  mark: SendMark | undefined,
  lineage: string | null,
  { wasSent, hasSent }: { wasSent(mark: SendMark): boolean; hasSent(): boolean },
): boolean {
  if (mark === undefined) return hasSent()
  return !wasSent(mark) || (mark.lineage !== null && mark.lineage !== lineage)
}
