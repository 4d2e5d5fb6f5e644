import { sql } from 'drizzle-orm'
import { type Ctx, systemCtx } from '../../../platform/access/ctx.ts'
import { perApp } from '../../../platform/capabilities.ts'
import { SECOND } from '../../../platform/clock.ts'
import { readFact } from '../../../platform/db/box-facts.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { MARK } from '../../../platform/replication/lineage.ts'
import { say } from '../../../words/say.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { terminalInstructions } from '../instructions/instructions.table.ts'
import { type Worker, workConnections } from '../sessions/each-connection.ts'
import { createInstructor } from './instructor.ts'
import type { Sending } from './send.ts'
import { mayBeOlder, readSendMark, type SendMark, writeSendMark } from './send-mark.ts'

const NAME = 'terminals.instruct'

const SENT = statement(
  sql`SELECT ${listed({ tenantId: terminalInstructions.tenantId, id: terminalInstructions.id })} FROM ${terminalInstructions}
  WHERE ${terminalInstructions.tenantId} = ?1 AND ${terminalInstructions.id} = ?2 AND ${terminalInstructions.sentAt} IS NOT NULL LIMIT 1`,
)
const ANY_SENT = statement(
  sql`SELECT ${listed({ tenantId: terminalInstructions.tenantId, id: terminalInstructions.id })} FROM ${terminalInstructions}
  WHERE ${terminalInstructions.sentAt} IS NOT NULL LIMIT 1`,
)
const WITH_MONEY = statement(
  sql`SELECT DISTINCT ${listed({ tenantId: terminalConnections.tenantId })} FROM ${terminalConnections}
  ${ofActiveTenant(terminalConnections.tenantId)}
  WHERE ${terminalConnections.deletedAt} IS NULL AND ${terminalConnections.money}`,
)

/** Holds the money of every connection of a firm until an owner lets it move again, and tells the owners. */
const holdMoney = (ctx: Ctx): Promise<null> =>
  ctx.write('terminals.hold', (tx) => {
    const held = tx.list(terminalConnections, { money: true }).filter(({ moneyHeldAt }) => moneyHeldAt === null)
    for (const { id } of held) tx.update(terminalConnections, id, { moneyHeldAt: tx.now })
    const names = held.map(({ name }) => name).join(', ')
    if (held.length > 0)
      mailOwners(tx, ctx, () => ({
        subject: say('terminals.mail.subject.held', { names }),
        text: say('terminals.mail.held', { names }),
      }))
    return null
  })

/** Notes what was sent last; where that cannot be written nothing is sent, and what only sets a value goes on. */
function noteLast({ config, log }: Platform, mark: SendMark): void {
  try {
    writeSendMark(config.dataDir, mark)
  } catch (error) {
    log.error({ err: error }, 'what was sent last to a trading server could not be noted')
  }
}

/** Makes what sending needs; holds the money first if the database may be older than what was sent from here. */
async function begin(platform: Platform): Promise<Sending> {
  const { reader, config } = platform
  const findLineage = (): string | null => readFact(reader, MARK)?.value.lineage ?? null
  const known = {
    wasSent: ({ tenantId, last }: SendMark) => reader.all<{ id: string }>(SENT, [tenantId, last]).length > 0,
    hasSent: () => reader.all<{ id: string }>(ANY_SENT, []).length > 0,
  }
  const mark = readSendMark(config.dataDir)
  if (mayBeOlder(mark, findLineage(), known)) {
    for (const { tenantId } of reader.all<{ tenantId: string }>(WITH_MONEY, []))
      await holdMoney(systemCtx(platform, tenantId, NAME))
    const [last] = reader.all<{ tenantId: string; id: string }>(ANY_SENT, [])
    if (last !== undefined) noteLast(platform, { tenantId: last.tenantId, last: last.id, lineage: findLineage() })
  }
  return {
    noteMark: ({ tenantId, id }) => writeSendMark(config.dataDir, { tenantId, last: id, lineage: findLineage() }),
  }
}

const getState = perApp(() => ({ workers: new Map<string, Worker>(), sending: undefined as Sending | undefined }))

/** Asks trading servers for what people want of them. RULES “Accounts on a terminal”, “Terminal money”. */
export const instructTerminals = defineJob({
  name: NAME,
  every: SECOND,
  delay: SECOND,
  run: async (run) => {
    const state = getState(run.platform.capabilities)
    state.sending ??= await begin(run.platform)
    const { sending } = state
    await workConnections(run, NAME, state.workers, (id) => createInstructor(id, sending))
    return null
  },
})
