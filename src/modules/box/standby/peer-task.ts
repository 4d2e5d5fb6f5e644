import { Value } from '@sinclair/typebox/value'
import { BUSY, TaskFault, TaskOrder } from '../../../platform/peer/away.ts'
import { Problem } from '../../../platform/problem.ts'
import { printAnswer, runTask, TaskFailed, TaskOverLimit } from '../../../platform/query-runner/task.ts'
import { isTaskName, mayBeOld, type TaskName } from '../../../platform/query-runner/task-names.ts'
import type { Sight } from '../../../platform/standby/sight.ts'

/** An order is some names and figures; the query of an owner is the longest of them. */
export const LARGEST_ORDER = 256 * 1024

type Order = TaskOrder & { name: TaskName }

/** Returns the order of a primary; undefined if it is none that a standby does. */
export function readOrder(text: string): Order | undefined {
  try {
    const order: unknown = JSON.parse(text)
    if (!Value.Check(TaskOrder, order)) return undefined
    const { name, ...rest } = order
    return isTaskName(name) && mayBeOld(name) ? { name, ...rest } : undefined
  } catch {
    return undefined
  }
}

/**
 * Does a read for the primary on the newest copy, as of that copy's moment. Answers 503 if the copy is too old, or of
 * another schema than the primary's; 422 with the fault if the task failed; 429 if no more may wait.
 */
export async function doForPrimary(
  { name, input, maxAgeSeconds, schema, ...limits }: Order,
  { standby, ownSchema, signal }: { standby: Sight; ownSchema: number; signal: AbortSignal },
): Promise<Response> {
  const age = standby.ageSeconds()
  if (age === null || age > maxAgeSeconds || schema !== ownSchema) return new Response(null, { status: 503 })
  const at = standby.madeAt()
  const { path, release } = standby.hold()
  const headers = { 'x-crm-age': String(age), 'cache-control': 'no-store' }
  try {
    const moment = 'now' in input && at !== null ? { now: at } : {}
    // firms and persons share the places for children as they do at home
    const answer = await runTask(name, Object.assign({}, input, moment, { database: path }), { ...limits, signal })
    return new Response(printAnswer(answer), { headers })
  } catch (error) {
    if (error instanceof Problem && error.code === 'busy') return new Response(null, { status: BUSY })
    if (!(error instanceof TaskFailed)) throw error
    const fault = { message: error.message, isOverLimit: error instanceof TaskOverLimit }
    return Response.json(Value.Decode(TaskFault, fault), { status: 422, headers })
  } finally {
    release()
  }
}
