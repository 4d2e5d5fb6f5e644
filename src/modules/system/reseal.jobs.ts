import { Type } from '@sinclair/typebox'
import { type Column, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { DAY, MINUTE } from '../../platform/clock.ts'
import { type BoxFact, noteFact, readFact } from '../../platform/db/box-facts.ts'
import { tenantIds } from '../../platform/db/directory.ts'
import { bare, nameOf, statement } from '../../platform/db/statement.ts'
import { defineJob, type JobRun } from '../../platform/jobs/job.ts'
import { isSealedForAll } from '../../platform/secrets.ts'
import { say } from '../../words/say.ts'
import { adConnections } from '../ads/ads.table.ts'
import { credentials, oneTimeLinks } from '../auth/auth.table.ts'
import { pspConnections } from '../deposits/gateways.table.ts'
import { keptParts } from '../kept-records/kept-records.table.ts'
import { mails } from '../mails/mails.table.ts'
import { webhookSubscriptions } from '../webhooks/webhooks.table.ts'

/** A sealed column, and what stands before firm and row in the context that its values are sealed with. */
type SealedColumn = { name: string; context: string; next: string; read: string; write: string }

function sealedColumn(
  table: SQLiteTable & { tenantId: Column; id: Column },
  column: Column,
  context: string,
): SealedColumn {
  return {
    name: `${getTableName(table)}.${nameOf(column)}`,
    context,
    // a value begins with the version of what it was sealed with
    next: statement(sql`SELECT ${table.id} AS id FROM ${table}
      WHERE ${table.tenantId} = ?1 AND ${table.id} > ?2 AND substr(${column}, 1, 1) = x'01' ORDER BY ${table.id} LIMIT 1`),
    read: statement(sql`SELECT ${column} AS sealed FROM ${table} WHERE ${table.tenantId} = ?1 AND ${table.id} = ?2`),
    write: statement(sql`UPDATE ${table} SET ${bare(column)} = ?3 WHERE ${table.tenantId} = ?1 AND ${table.id} = ?2`),
  }
}

/** Every sealed column there is; a test compares them with the tables. */
export const SEALED: readonly SealedColumn[] = [
  sealedColumn(adConnections, adConnections.credentials, 'ads'),
  sealedColumn(credentials, credentials.totpSecret, 'totp'),
  sealedColumn(keptParts, keptParts.sealed, 'kept'),
  sealedColumn(mails, mails.body, 'mail'),
  sealedColumn(oneTimeLinks, oneTimeLinks.token, 'link'),
  sealedColumn(pspConnections, pspConnections.secret, 'psp'),
  sealedColumn(webhookSubscriptions, webhookSubscriptions.secret, 'webhook'),
  sealedColumn(webhookSubscriptions, webhookSubscriptions.nextSecret, 'webhook'),
]

/** That nothing is sealed any more with the key of the whole installation, and how much was. */
const Renewed = Type.Object({ renewed: Type.Integer(), unopened: Type.Integer() })
const SEALS_RENEWED: BoxFact<typeof Renewed> = { name: 'seals renewed', shape: Renewed }

/** Seals the old values of one column of one firm with the firm's own key, one row in each write. */
async function renewColumn(
  { platform, signal }: JobRun,
  tenantId: string,
  { context, next, read, write }: SealedColumn,
): Promise<{ renewed: number; unopened: number }> {
  const { connection, writer, reader, secrets, log } = platform
  const firm = secrets.forFirm(tenantId)
  const done = { renewed: 0, unopened: 0 }
  for (let after = ''; !signal.aborted; ) {
    const old = reader.get<{ id: string }>(next, [tenantId, after])
    if (!old) break
    after = old.id
    const where = `${context}:${tenantId}:${old.id}`
    await writer.submit(() => {
      const sealed = connection.get<{ sealed: Uint8Array | null }>(read, [tenantId, old.id])?.sealed
      // somebody may have replaced it meanwhile
      if (!sealed || !isSealedForAll(sealed)) return
      try {
        connection.run(write, [tenantId, old.id, firm.seal(firm.open(sealed, where), where)])
        done.renewed += 1
      } catch (error) {
        done.unopened += 1
        log.error({ err: error, tenantId, id: old.id }, 'a sealed value does not open with the key')
      }
    })
  }
  return done
}

/** Seals with each firm's own key what earlier programs sealed with the installation's: values and papers, once. */
export const renewSeals = defineJob({
  name: 'system.reseal',
  every: DAY,
  delay: 5 * MINUTE,
  run: async (run) => {
    const { platform, signal } = run
    const { reader, writer, connection, blobs, clock } = platform
    if (readFact(reader, SEALS_RENEWED)) return null
    const sum = { renewed: 0, unopened: 0 }
    const count = ({ renewed, unopened }: typeof sum): void => {
      sum.renewed += renewed
      sum.unopened += unopened
    }
    for (const tenantId of tenantIds(reader))
      for (const column of SEALED) count(await renewColumn(run, tenantId, column))
    for (let at: number | null = 0; at !== null && !signal.aborted; ) {
      at = blobs.renewSeal(at)
      // a paper may have megabytes, and others wait for this thread
      await Bun.sleep(1)
    }
    if (signal.aborted) return say('jobs.seals_renewed_so_far', { renewed: sum.renewed })
    await writer.submit(() => noteFact(connection, SEALS_RENEWED, sum, clock.now()))
    return say('jobs.seals_renewed', { renewed: sum.renewed })
  },
})
