import { constants, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import { type AuditHead, GENESIS, HEAD } from '../../../platform/audit/audit.ts'
import { toIso } from '../../../platform/clock.ts'
import { noteFact } from '../../../platform/db/box-facts.ts'
import { tenantIds } from '../../../platform/db/directory.ts'
import { statement } from '../../../platform/db/statement.ts'
import { syncFile } from '../../../platform/db/swap-data.ts'
import { runTask } from '../../../platform/query-runner/task.ts'
import { DATABASES } from '../../../platform/replication/engine-config.ts'
import { readHeartbeat } from '../../../platform/replication/heartbeat.ts'
import { keepSeal } from '../../../platform/seals/keep-seal.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { type Connection, openWriter } from '../../../platform/sqlite.ts'
import { PROMOTION, PromotedNote, Promotion } from '../../../platform/standby/promotion.ts'
import { auditEntries } from '../../clients/audit/audit.table.ts'
import { sessions } from '../../firm/auth/auth.table.ts'
import { CheckReport } from '../backups/check.model.ts'
import { DEADLINE } from '../backups/check.tasks.ts'
import { checkCopy } from '../backups/check-copy.tasks.ts'

const SIGN_OUT = statement(sql`DELETE FROM ${sessions}`)

const LAST_AT = statement(sql`SELECT ${auditEntries.at} AS at FROM ${auditEntries}
  WHERE ${auditEntries.tenantId} = ?1 ORDER BY ${auditEntries.seq} DESC LIMIT 1`)

const Input = Type.Object({
  /** The directory of the followed databases, which no engine changes any more, and where a server is to find them. */
  from: Type.String(),
  into: Type.String(),
  key: Type.String(),
  /** Whether the key is written beside the data, since no setting has it. */
  keepKey: Type.Boolean(),
  isQuick: Type.Boolean(),
  now: Type.Integer(),
  history: Type.String(),
  before: Type.String(),
})
const Prepared = Type.Object({ check: CheckReport, promotion: Promotion, heads: PromotedNote.properties.heads })
export type Prepared = Static<typeof Prepared>

/** Returns the last audit entry of each firm. */
const readHeads = (copy: Connection): PromotedNote['heads'] =>
  Object.fromEntries(
    tenantIds(copy).map((tenantId) => {
      const { seq, hash } = copy.get<AuditHead>(HEAD, [tenantId]) ?? GENESIS
      return [tenantId, { sequence: seq, hash }]
    }),
  )

/** Stores in a proven copy how it came here. Everybody signs in again, unless nothing that was answered is missing. */
function finish(path: string, key: Uint8Array, { now, history, before }: Static<typeof Input>) {
  const copy = openWriter(path)
  try {
    const heartbeat = readHeartbeat(copy)
    // changes arrive in their order, so that everything before the newest one is there
    const lastOnes = tenantIds(copy).map((tenantId) => copy.get<{ at: number }>(LAST_AT, [tenantId])?.at ?? 0)
    const newest = Math.max(heartbeat?.at ?? 0, ...lastOnes)
    const until = newest === 0 ? null : toIso(newest)
    // a heartbeat of an earlier server does not say whether the answers of the last one waited
    const isWhole = heartbeat?.wait === 'all' && heartbeat.history === before
    const promotion: Promotion = { history, from: before, at: toIso(now), until, isWhole }
    const heads = readHeads(copy)
    const renewSeal = keepSeal(copy, createSecretBox(key))
    copy.exec('BEGIN IMMEDIATE')
    if (!promotion.isWhole) copy.run(SIGN_OUT)
    noteFact(copy, PROMOTION, promotion, now)
    renewSeal()
    copy.exec('COMMIT')
    return { promotion, heads }
  } finally {
    copy.close()
  }
}

/**
 * Makes the data of a server from followed databases: copies them, proves the copy, and notes the takeover in it. Its
 * input, with the key, comes on standard input. With faults nothing was noted.
 */
export async function prepareTask(input: unknown): Promise<Prepared | { check: CheckReport }> {
  const parts = Value.Decode(Input, input)
  const { from, into, keepKey, isQuick, now } = parts
  for (const name of DATABASES) copyFileSync(join(from, name), join(into, name), constants.COPYFILE_FICLONE)
  const key = new Uint8Array(Buffer.from(parts.key, 'base64'))
  const check = await checkCopy({ directory: into, key, now, isQuick, papers: false })
  if (check.faults.length > 0) return { check }
  if (keepKey) writeFileSync(join(into, 'secret.key'), `${parts.key}\n`, { mode: 0o600, flush: true })
  const prepared = finish(join(into, 'brokerbase.db'), key, parts)
  for (const name of DATABASES) syncFile(join(into, name))
  return { check, ...prepared }
}

/** Runs `prepareTask` in a child. Throws the first fault of a copy that is not good. */
export async function prepareApart({
  key,
  ...parts
}: Omit<Static<typeof Input>, 'key'> & { key: Uint8Array }): Promise<Prepared> {
  const input = { ...parts, key: Buffer.from(key).toString('base64') }
  const answer: unknown = await runTask('standby.prepare', input, { deadlineMs: DEADLINE, hasPlace: true })
  if (Value.Check(Prepared, answer)) return answer
  const { check } = Value.Decode(Type.Object({ check: CheckReport }), answer)
  throw new Error(`the copy is not good: ${check.faults.slice(0, 5).join('; ')}`)
}
