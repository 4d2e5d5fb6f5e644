import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineSetting, readSetting, writeSetting } from '../../base/settings/settings.service.ts'
import { pspConnections } from '../../books/deposits/gateways.table.ts'
import { fxGlobalRates, fxRates } from '../../books/fx/fx.table.ts'
import { sanctionsLists } from '../../clients/sanctions/sanctions.table.ts'
import { slaPolicies } from '../../clients/support/sla.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { apiKeys } from '../../firm/api-keys/api-keys.table.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { type Progress, STEPS, type Step } from './progress.model.ts'

const firstWeek = defineSetting('first_week', Type.Object({ putAway: Type.Boolean() }), { putAway: false })

// Rates of the pool count for every firm. Of each kind the first row is enough.
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
  })}`,
)
type Found = { rates: number; list: number; gateway: number; key: number; client: number }

/** Returns which of the first steps are done, by the firm's rows; they cannot be marked by hand. */
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
  const done: Record<Step, boolean> = {
    // two accounts of one person do not count as two people
    second_manager: readPeople(db, ctx.now()).alone('manager').length > 1,
    mail_server: ctx.mail.isSent,
    exchange_rates: found.rates === 1,
    sanctions_list: found.list === 1,
    gateway_or_key: found.gateway === 1 || found.key === 1,
    working_hours: readSetting(db, slaPolicies).version > 0,
    first_client: found.client === 1,
  }
  const { value, version } = readSetting(db, firstWeek)
  return {
    steps: STEPS.map((step) => ({ step, done: done[step] })),
    complete: STEPS.every((step) => done[step]),
    putAway: value.putAway,
    version,
  }
}
