import { sql } from 'drizzle-orm'
import { MINUTE } from '../../../platform/clock.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import { removeInBatches } from '../../../platform/jobs/housekeeping.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { terminalInstructions as table } from '../instructions/instructions.table.ts'

const FORGET = statement(
  sql`UPDATE ${table} SET ${bare(table.mainPassword)} = NULL, ${bare(table.investorPassword)} = NULL,
    ${bare(table.linkHash)} = NULL, ${bare(table.linkUntil)} = NULL
  WHERE (${table.tenantId}, ${table.id}) IN (SELECT ${table.tenantId}, ${table.id} FROM ${table}
    WHERE ${table.linkHash} IS NOT NULL AND ${table.linkUntil} <= ? LIMIT ?)`,
)

/** Forgets the passwords of accounts whose mailed links have lapsed. */
export const forgetLapsedPasswords = defineJob({
  name: 'terminals.forget_passwords',
  every: 10 * MINUTE,
  run: async (run) => {
    const forgotten = await removeInBatches(run, FORGET, [run.platform.clock.now()])
    return forgotten === 0 ? null : say('jobs.passwords_forgotten', { forgotten })
  },
})
