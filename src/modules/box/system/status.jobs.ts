import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { type BoxFact, noteFact, readFact } from '../../../platform/db/box-facts.ts'
import { bornAt } from '../../../platform/db/migrate.ts'
import { migrations } from '../../../platform/db/migrations.ts'
import { statement } from '../../../platform/db/statement.ts'
import { build } from '../../../platform/embedded.ts'
import { SINK_DIFFERENCES } from '../../../platform/event-sink.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Scheduler } from '../../../platform/jobs/scheduler.ts'
import type { Platform } from '../../../platform/platform.ts'
import { LOSS } from '../../../platform/replication/lineage.ts'
import { LANGUAGES } from '../../../words/language.ts'
import { inLanguage, languageNow, say } from '../../../words/say.ts'
import { mailAdministrators } from '../../firm/users/users.notices.ts'
import { users } from '../../firm/users/users.table.ts'
import type { Backups } from '../backups/backups.service.ts'
import { listWarnings, type StatusParts } from './status.service.ts'

const NAME = 'system.watch'
const ADMINISTRATORS = statement(
  sql`SELECT DISTINCT ${users.tenantId} AS tenantId FROM ${users}
    WHERE ${users.deletedAt} IS NULL AND ${users.roles} LIKE '%"platform_admin"%'`,
)

/** Collects the sources of a server's status. */
export function createStatusParts(platform: Platform, scheduler: Scheduler, backups: Backups): StatusParts {
  const { config, clock, reader, readiness, replication, recoveryKey, tls, mailRelay, directory, sink } = platform
  return {
    dataDir: config.dataDir,
    clock,
    started: clock.now(),
    program: build(),
    schema: () => ({
      schema: migrations.length,
      sqlite: reader.get<{ version: string }>('SELECT sqlite_version() AS version')?.version ?? '',
    }),
    bornAt: () => bornAt(reader),
    readiness,
    replication,
    loss: () => readFact(reader, LOSS),
    sink,
    differences: () =>
      (readFact(reader, SINK_DIFFERENCES)?.value ?? []).map((difference) => ({
        ...difference,
        firm: directory.tenant(difference.tenantId)?.name ?? difference.tenantId,
      })),
    backups,
    recoveryKey,
    tls: () => tls.state(),
    mailFault: mailRelay.fault,
    scheduler,
    standby: platform.standby,
  }
}

/** Returns the firms to which administrators of the box belong. */
const listAdministeredFirms = ({ reader }: Pick<Platform, 'reader'>): string[] =>
  reader.all<{ tenantId: string }>(ADMINISTRATORS).map(({ tenantId }) => tenantId)

/** The alarms that were mailed, and when. */
const MailedAlarms = Type.Record(Type.String(), Type.Integer())
const MAILED_ALARMS: BoxFact<typeof MailedAlarms> = { name: 'alarms told', shape: MailedAlarms }

/** Alarms do not depend on the jobs, so this scheduler has none. */
const NO_JOBS: Scheduler = { start: () => {}, runNow: async () => false, list: () => [], stop: async () => {} }

/** Mails the administrators about each alarm: once a day while it lasts, and once when it is over. */
export const watchSystem = (getBackups: (platform: Platform) => Backups) =>
  defineJob({
    name: NAME,
    every: MINUTE,
    delay: MINUTE,
    run: async ({ platform }) => {
      const { reader, writer, connection, clock } = platform
      const now = clock.now()
      const status = createStatusParts(platform, NO_JOBS, getBackups(platform))
      const alarms = (await listWarnings(status)).filter(({ severity }) => severity === 'alarm')
      const mailed = readFact(reader, MAILED_ALARMS)?.value ?? {}
      const news = alarms.filter(({ code }) => now - (mailed[code] ?? Number.NEGATIVE_INFINITY) >= DAY)
      const over = Object.keys(mailed).filter((known) => alarms.every(({ code }) => code !== known))
      if (news.length + over.length === 0) return null
      const inWords = new Map<string, string>()
      for (const language of LANGUAGES)
        for (const { code, text } of await inLanguage(language, () => listWarnings(status)))
          inWords.set(language + code, text)
      for (const tenantId of listAdministeredFirms(platform)) {
        const ctx = systemCtx(platform, tenantId, NAME)
        await ctx.write(
          'system.alarm',
          (tx) => {
            mailAdministrators(tx, ctx, () => ({
              subject: news.length > 0 ? say('system.warning.subject') : say('system.warning.subject_over'),
              text: [
                ...news.map(({ code, text }) => inWords.get(languageNow() + code) ?? text),
                ...over.map((code) => say('system.warning.over', { code })),
              ].join('\n\n'),
            }))
            return null
          },
          // an alarm about the replica must not wait for the replica
          { local: true },
        )
      }
      const lasting = Object.fromEntries(alarms.map(({ code }) => [code, mailed[code] ?? now]))
      const renewed = Object.fromEntries(news.map(({ code }) => [code, now]))
      await writer.submit(() => noteFact(connection, MAILED_ALARMS, { ...lasting, ...renewed }, now), { local: true })
      return say('jobs.alarms_told', { told: news.length, over: over.length })
    },
  })

/** Notes that a server writes without its place because its operator said so, and mails the administrators. */
export async function noteAlone(platform: Platform): Promise<void> {
  for (const tenantId of listAdministeredFirms(platform)) {
    const ctx = systemCtx(platform, tenantId, 'system.alone')
    await ctx.write(
      'system.alone',
      (tx) => {
        tx.audit({ entity: 'server' })
        mailAdministrators(tx, ctx, () => ({
          subject: say('standby.mail.alone'),
          text: say('standby.mail.alone_text'),
        }))
      },
      // the replica is away
      { local: true },
    )
  }
}
