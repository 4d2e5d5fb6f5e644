import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { ownTenant } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineSetting, readSetting, writeSetting } from '../../base/settings/settings.service.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { pspConnections } from '../../books/deposits/gateways.table.ts'
import { fxGlobalRates, fxRates } from '../../books/fx/fx.table.ts'
import { sanctionsLists } from '../../clients/sanctions/sanctions.table.ts'
import { slaPolicies } from '../../clients/support/sla.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { apiKeys } from '../../firm/api-keys/api-keys.table.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { users } from '../../firm/users/users.table.ts'
import { type Progress, STEPS, type Step } from './progress.model.ts'

const firstWeek = defineSetting('first_week', Type.Object({ putAway: Type.Boolean() }), { putAway: false })

// Rates of the pool count for every firm. One row of each kind is enough.
const FOUND = statement(
  sql`SELECT ${listed({
    rates: sql`EXISTS (SELECT 1 FROM ${fxRates}
        WHERE ${fxRates.tenantId} = ?1 AND ${fxRates.current} = 1 AND ${fxRates.unconfirmed} = 0)
      OR EXISTS (SELECT 1 FROM ${fxGlobalRates} WHERE ${fxGlobalRates.current} = 1 AND ${fxGlobalRates.unconfirmed} = 0)`,
    list: sql`EXISTS (SELECT 1 FROM ${sanctionsLists}
      WHERE ${sanctionsLists.tenantId} = ?1 AND ${sanctionsLists.current} = 1)`,
    gateway: sql`EXISTS (SELECT 1 FROM ${pspConnections} WHERE ${pspConnections.tenantId} = ?1
      AND ${pspConnections.status} = 'active' AND ${pspConnections.deletedAt} IS NULL)`,
    key: sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.tenantId} = ?1 AND ${apiKeys.revokedAt} IS NULL
      AND (${apiKeys.expiresAt} IS NULL OR ${apiKeys.expiresAt} > ?2))`,
    client: sql`EXISTS (SELECT 1 FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL)`,
    deposit: sql`EXISTS (SELECT 1 FROM ${deposits} WHERE ${deposits.tenantId} = ?1
      AND ${deposits.status} IN ('settled', 'partially_settled'))`,
    // the step is the invitation, so an invited colleague counts
    colleague: sql`(SELECT count(*) FROM ${users} WHERE ${users.tenantId} = ?1 AND ${users.status} <> 'disabled'
      AND ${users.deletedAt} IS NULL AND EXISTS (SELECT 1 FROM json_each(${users.roles})
        WHERE json_each.value IN ('manager', 'admin', 'owner', 'platform_admin'))) > 1`,
    // every owner needs a second factor, since one owner without it is the weak point
    factor: sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.tenantId} = ?1 AND ${users.status} = 'active'
      AND EXISTS (SELECT 1 FROM json_each(${users.roles}) WHERE json_each.value = 'owner')
      AND NOT EXISTS (SELECT 1 FROM ${credentials} WHERE ${credentials.tenantId} = ?1
        AND ${credentials.userId} = ${users.id} AND ${credentials.totpEnabled} = 1))`,
  })}`,
)
type Found = Record<'rates' | 'list' | 'gateway' | 'key' | 'client' | 'deposit' | 'colleague' | 'factor', number>

/** Returns which of the first steps the firm's rows show as done; nobody can mark a step by hand. */
export function readProgress(ctx: Ctx): Progress {
  return collectProgress(ctx, ctx.db)
}

/** Hides the steps for everyone of the firm, or shows them again. */
export const setProgress = (
  ctx: Ctx,
  { putAway }: { putAway: boolean },
  expect: number | undefined,
): Promise<Progress> =>
  ctx.write('setup.progress.set', (tx) => {
    writeSetting(tx, firstWeek, { putAway }, expect)
    return collectProgress(ctx, tx)
  })

function collectProgress(ctx: Ctx, db: Reader): Progress {
  const found = db.query<Found>(FOUND, [ctx.now()])[0]
  if (!found) throw new Error('a look at the steps without a row')
  const branding: { logoUrl?: unknown } = JSON.parse(ownTenant(db)?.branding ?? '{}')
  const done: Record<Step, boolean> = {
    first_colleague: found.colleague === 1,
    sanctions_list: found.list === 1,
    first_client: found.client === 1,
    first_deposit: found.deposit === 1,
    // two accounts of one person do not count as two people
    second_manager: readPeople(db, ctx.now()).alone('manager').length > 1,
    mail_server: ctx.mail.isSent,
    backups: ctx.config.isReplicated,
    second_factor: found.factor === 1,
    exchange_rates: found.rates === 1,
    gateway_or_key: found.gateway === 1 || found.key === 1,
    working_hours: readSetting(db, slaPolicies).version > 0,
    logo: typeof branding.logoUrl === 'string',
  }
  const { value, version } = readSetting(db, firstWeek)
  return {
    steps: STEPS.map((step) => ({ step, done: done[step] })),
    complete: STEPS.every((step) => done[step]),
    putAway: value.putAway,
    version,
  }
}
