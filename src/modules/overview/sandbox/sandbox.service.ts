import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { KIB, MIB } from '../../../platform/bytes.ts'
import { SECOND } from '../../../platform/clock.ts'
import { getDownloads } from '../../../platform/http/answers/downloads.ts'
import { defineErrors, type Problem } from '../../../platform/problem.ts'
import { TaskFailed } from '../../../platform/query-runner/task.ts'
import { isSentenceKey, say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { READABLE } from './sandbox.catalogue.ts'
import type { SqlIn, SqlSchema } from './sandbox.model.ts'
import { getRunningQueries, LONG_QUERY } from './sandbox.running.ts'
import { findRefusal, type Refusal } from './sandbox.statement.ts'

const DEADLINE = 30 * SECOND
const MEMORY = 256 * MIB
/** An answer of at most this size is stored for a repeated request. */
const REMEMBERED = 32 * KIB

const errors = defineErrors('sandbox', () => ({
  not_a_query: [422, say('sandbox.not_a_query')],
  not_readable: [422, say('sandbox.not_readable')],
  failed: [422, say('sandbox.failed')],
  too_slow: [422, say('sandbox.too_slow')],
  too_much: [422, say('sandbox.too_much')],
}))
const at = (make: (facts: { detail?: string; errors: Problem['errors'] }) => Problem, code: 'format', detail: string) =>
  make({ detail, errors: [{ path: 'sql', code, message: detail }] })

const REFUSED: Readonly<Record<Refusal, () => string>> = {
  empty: () => say('sandbox.refused.empty'),
  not_a_query: () => say('sandbox.refused.not_a_query'),
  several: () => say('sandbox.refused.several'),
  nul: () => say('sandbox.refused.nul'),
}

const Answer = Type.Union([
  Type.Object({ text: Type.String() }),
  Type.Object({
    denied: Type.Object({
      what: Type.Union([Type.Literal('table'), Type.Literal('column'), Type.Literal('function'), Type.Literal('act')]),
      name: Type.String(),
    }),
  }),
  Type.Object({ failed: Type.String() }),
])

/** Returns the JSON text of a query's result; throws the problem if it fails. */
async function ask(ctx: Ctx, sql: string, signal: AbortSignal): Promise<string> {
  const { timeZone } = readFirmSettings(ctx.db)
  const options = { deadlineMs: DEADLINE, bytes: MEMORY, signal, hasPlace: true }
  let answer: Static<typeof Answer>
  try {
    answer = Value.Decode(Answer, await ctx.runTask('sandbox.query', { sql, timeZone }, options))
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error
    throw /took longer|told to stop/.test(error.message) ? errors.too_slow() : errors.too_much()
  }
  if ('text' in answer) return answer.text
  if ('failed' in answer) throw at(errors.failed, 'format', say('sandbox.failed.why', { why: answer.failed }))
  const { what, name } = answer.denied
  throw at(errors.not_readable, 'format', say(`sandbox.denied.${what}`, { name }))
}

/**
 * Runs an owner's query over the firm's own rows in a child that cannot write; a firm runs one at a time. The audit log
 * has the text of every query that runs. RULES “SQL page”.
 */
export async function runSql(ctx: Ctx, { sql }: Static<typeof SqlIn>, signal: AbortSignal): Promise<Response> {
  const refusal = findRefusal(sql)
  if (refusal) throw at(errors.not_a_query, 'format', REFUSED[refusal]())
  const running = getRunningQueries(ctx)
  return running.run(ctx.tenantId, async (giveWay) => {
    await ctx.write('sandbox.query', (tx) => tx.audit({ entity: 'sql_query', after: { sql } }), { answer: false })
    const started = performance.now()
    try {
      const text = await ask(ctx, sql, AbortSignal.any([signal, giveWay]))
      // repeating the Idempotency-Key answers the stored result, as for any POST; a large result is computed again
      if (text.length <= REMEMBERED) await ctx.write('sandbox.query', (): unknown => JSON.parse(text))
      return getDownloads(ctx).sendText(ctx, text, new Headers({ 'content-type': 'application/json;charset=utf-8' }))
    } finally {
      const ms = Math.round(performance.now() - started)
      if (ms > LONG_QUERY)
        ctx.log.warn({ tenantId: ctx.tenantId, ms }, 'a query kept the database log from being begun anew')
    }
  })
}

const findDescription = (key: string): { description?: string } => (isSentenceKey(key) ? { description: say(key) } : {})
const FUNCTIONS = ['money', 'firm_day', 'firm_month', 'firm_time'] as const

/** Returns the tables, columns and functions that a query may use. */
export const sqlSchema = (): SqlSchema => ({
  tables: READABLE.map(({ name: table, columns }) => ({
    name: table,
    ...findDescription(`sandbox.table.${table}`),
    columns: columns.map(({ name, kind }) => ({
      name,
      type: kind,
      ...findDescription(`sandbox.column.${table}.${name}`),
    })),
  })),
  functions: FUNCTIONS.map((name) => ({ name, description: say(`sandbox.function.${name}`) })),
})
