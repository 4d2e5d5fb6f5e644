import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MIB } from '../bytes.ts'
import { type Clock, SECOND } from '../clock.ts'
import type { Egress } from '../egress.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Problem } from '../problem.ts'
import { busy } from '../query-runner/slots.ts'
import { readAnswer, TaskFailed, type TaskOptions, TaskOverLimit, TaskStopped } from '../query-runner/task.ts'
import { mayBeOld, type TaskName } from '../query-runner/task-names.ts'
import type { SecretBox } from '../secrets.ts'
import { isAnswer, signCall } from './peer-signature.ts'

/** The path at which a standby does a read for its primary. */
export const TASK_PATH = '/peer/task'
/** The status with which a standby says that no more requests may wait for a child. */
export const BUSY = 429
/** A standby that could not be used is not asked again for this long. */
const NOT_AGAIN_FOR = 30 * SECOND
/** Who wrote within this time is answered from here, since the standby may not have it yet. */
const OWN_WRITES_FOR = 10 * SECOND
const CONNECTS_WITHIN = SECOND
/** A stopped process takes connections and never answers, so a sign of life is asked for this often. */
const SIGN_LASTS = 5 * SECOND
const LIVES_AT = '/health'
/** The answer takes this much longer than the task may. */
const BESIDE = 5 * SECOND
/** As much as a child may print. */
const LARGEST_ANSWER = 64 * MIB
/** More callers than this are not remembered as ones who wrote. */
const MOST_WRITERS = 10_000

/** An order to a standby. The input lacks only the path of the database. */
export const TaskOrder = Type.Object({
  name: Type.String(),
  input: Type.Record(Type.String(), Type.Unknown()),
  deadlineMs: Type.Integer({ minimum: 1, maximum: 600_000 }),
  bytes: Type.Optional(Type.Integer({ minimum: 1 })),
  holder: Type.Optional(Type.String()),
  person: Type.Optional(Type.String()),
  isClient: Type.Optional(Type.Boolean()),
  hasPlace: Type.Optional(Type.Boolean()),
  maxAgeSeconds: Type.Integer(),
  schema: Type.Integer(),
})
export type TaskOrder = Static<typeof TaskOrder>

/** Why a task failed at the standby, as the caller is told: the same as if it had failed here. */
export const TaskFault = Type.Object({ message: Type.String(), isOverLimit: Type.Boolean() })

/** The standby that reads for this server. */
export type Away = {
  /**
   * Does a read at the standby. Undefined if it has to be done here: it may not be old, the caller has just written, or
   * the standby is away, too old or of another schema. Throws `TaskFailed` if it failed there, and the 503 `busy` if
   * as many wait there as may wait here.
   */
  run(
    name: TaskName,
    input: object,
    options: TaskOptions,
    caller: string,
  ): Promise<{ answer: unknown; ageSeconds: number } | undefined>
  /** Returns the standby's address, and how many heavy reads it did, and did not so that they were done here. */
  counts(): { url: string; there: number; here: number }
  /** Notes that a caller writes. */
  noteWrite(caller: string): void
}

type AwayParts = {
  url: string
  maxAgeSeconds: number
  schema: number
  egress: Egress
  secrets: Pick<SecretBox, 'sign' | 'verify'>
  clock: Clock
  metrics: Metrics
  log: Log
}

/** Sends an order and returns the answer; throws a sentence if the standby cannot be used. */
async function order({ url, egress, secrets, clock }: AwayParts, body: string, deadlineMs: number) {
  const call = signCall(secrets, { method: 'POST', path: TASK_PATH, body }, clock.now())
  const {
    status,
    body: bytes,
    headers,
    truncated,
  } = await egress.request({
    method: 'POST',
    url: url + TASK_PATH,
    headers: { 'x-crm-box': call, 'content-type': 'application/json' },
    body,
    connectTimeoutMs: CONNECTS_WITHIN,
    totalTimeoutMs: deadlineMs + BESIDE,
    maxResponseBytes: LARGEST_ANSWER,
  })
  if (![200, 422, BUSY].includes(status) || truncated) throw new Error(`the standby answered ${status}`)
  const age = headers['x-crm-age'] ?? ''
  const isOurs = isAnswer(secrets, call, { status, age, body: bytes }, headers['x-crm-box'])
  if (!isOurs) throw new Error('the answer of the standby is not signed with the key of this installation')
  if (status === BUSY) throw busy()
  const text = Buffer.from(bytes)
  if (status === 422) return { fault: Value.Decode(TaskFault, JSON.parse(text.toString())) }
  if (!/^\d{1,9}$/.test(age)) throw new Error('the answer of the standby has no age')
  return { fault: null, answer: readAnswer(text), ageSeconds: Number(age) }
}

/** Makes the look whether a standby answers at all, within a second; callers of the same moment share one. */
function createPulse({ url, egress, clock }: AwayParts): () => Promise<void> {
  let seenAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    const limits = { connectTimeoutMs: CONNECTS_WITHIN, totalTimeoutMs: CONNECTS_WITHIN, maxResponseBytes: MIB }
    await egress.request({ method: 'GET', url: url + LIVES_AT, headers: {}, body: '', ...limits })
    seenAt = clock.now()
  }
  return async () => {
    if (clock.now() - seenAt < SIGN_LASTS) return
    looking ??= look().finally(() => {
      looking = undefined
    })
    await looking
  }
}

/** Waits for an answer; throws at once when nobody waits for it any more. The standby ends the task at its deadline. */
async function unlessStopped<T>(name: TaskName, signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new TaskStopped(name))
  signal?.addEventListener('abort', stop, { once: true })
  // an answer that comes after this is of no interest, and neither is its failure
  answer.catch(() => {})
  return Promise.race([answer, promise]).finally(() => signal?.removeEventListener('abort', stop))
}

/** Makes the way to a standby that does heavy reads. */
export function createAway(parts: AwayParts): Away {
  const { maxAgeSeconds, schema, clock, metrics, log } = parts
  /** When each caller last wrote, the oldest first. */
  const wrote = new Map<string, number>()
  const feelPulse = createPulse(parts)
  let awayUntil = 0
  let done = 0
  let failed = 0
  metrics.counter('reads_away_total', 'Heavy reads that a standby did.', () => done)
  metrics.counter('reads_away_failed_total', 'Heavy reads that it should have done, and were done here.', () => failed)
  return {
    counts: () => ({ url: parts.url, there: done, here: failed }),
    noteWrite: (caller) => {
      wrote.delete(caller)
      wrote.set(caller, clock.now())
      const [oldest] = wrote.keys()
      if (oldest !== undefined && wrote.size > MOST_WRITERS) wrote.delete(oldest)
    },
    run: async (name, input, { signal, background: _, ...limits }, caller) => {
      const now = clock.now()
      const isOwn = now - (wrote.get(caller) ?? Number.NEGATIVE_INFINITY) < OWN_WRITES_FOR
      if (!mayBeOld(name) || isOwn || now < awayUntil || signal?.aborted) return undefined
      const sent = { ...limits, name, input, maxAgeSeconds, schema }
      let found: Awaited<ReturnType<typeof order>>
      try {
        const asked = feelPulse().then(() => order(parts, JSON.stringify(sent), limits.deadlineMs))
        found = await unlessStopped(name, signal, asked)
      } catch (error) {
        if (error instanceof TaskStopped || (error instanceof Problem && error.code === 'busy')) throw error
        failed += 1
        awayUntil = clock.now() + NOT_AGAIN_FOR
        log.warn({ why: error instanceof Error ? error.message : error }, 'the standby does no reads for this server')
        return undefined
      }
      done += 1
      const { fault, answer, ageSeconds } = found
      // it failed there as it would have failed here
      if (fault) throw fault.isOverLimit ? new TaskOverLimit(fault.message) : new TaskFailed(fault.message)
      return { answer, ageSeconds }
    },
  }
}
