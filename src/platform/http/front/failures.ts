import type { TSchema } from '@sinclair/typebox'
import { say } from '../../../words/say.ts'
import { WriterBusy } from '../../db/writer.ts'
import { CommitFailed } from '../../db/writer-commit.ts'
import { MoneyError } from '../../money.ts'
import { internal, invalid, notFound, Problem, problemBody } from '../../problem.ts'
import { TaskStopped } from '../../query-runner/task.ts'
import { ReplicaAway, ReplicaBehind } from '../../replication/gate.ts'
import { NotPrimary } from '../../role.ts'
import { validationProblem } from '../body/validation.ts'

type Invalid = { type: string; validator: { schema: TSchema }; value: unknown }
const isInvalid = (error: unknown): error is Invalid =>
  typeof error === 'object' && error !== null && 'validator' in error && 'value' in error && 'type' in error

const wrongMethod = (methods: readonly string[]) =>
  new Problem(
    405,
    'method_not_allowed',
    say('problems.error.method_not_allowed', { methods: methods.join(', ') }),
    [],
    {
      allow: methods.join(', '),
    },
  )

/** Returns whether a refusal was intended, so that its answer says everything. Any other is logged with its stack. */
export const isForeseen = (error: unknown, problem: Problem): boolean =>
  problem.status !== 500 &&
  (error === problem ||
    error instanceof CommitFailed ||
    error instanceof WriterBusy ||
    error instanceof ReplicaAway ||
    error instanceof ReplicaBehind ||
    error instanceof NotPrimary ||
    (error instanceof Error && error.cause === problem))

/**
 * Returns whether a request failed only because its caller left: what was being made for them was stopped, or had not
 * begun. If a child died for another reason, that is a fault all the same.
 */
export const hasCallerLeft = (error: unknown, { signal }: Request): boolean =>
  signal.aborted && (error instanceof TaskStopped || (error instanceof Error && error.name === 'AbortError'))

/** Makes the refusal of a server that is not the primary, with the address of its successor. */
export function notPrimary(role: NotPrimary['role']): Problem {
  if (role.name === 'replaced')
    return new Problem(503, 'replaced', say('problems.error.replaced', { host: role.by.host, url: role.by.url }), [], {
      ...(role.by.url !== '' && { 'x-crm-primary': role.by.url }),
    })
  if (role.name === 'standby')
    return new Problem(
      503,
      'standby',
      role.by.url === '' ? say('problems.error.standby_new') : say('problems.error.standby', { url: role.by.url }),
      [],
      {
        'retry-after': '5',
        ...(role.by.url !== '' && { 'x-crm-primary': role.by.url }),
      },
    )
  const { by, isUnknown } = role
  if (isUnknown)
    return new Problem(503, 'place_unknown', say('problems.error.place_unknown'), [], { 'retry-after': '5' })
  return by
    ? new Problem(503, 'place_taken', say('problems.error.place_taken', { host: by.host }), [], { 'retry-after': '5' })
    : new Problem(503, 'starting', say('problems.error.starting'), [], { 'retry-after': '1' })
}

/** Returns the problem for a failure; `code` is Elysia's, `allowed` returns the methods that the path has. */
export function toProblem(code: string | number, error: unknown, allowed: () => readonly string[]): Problem {
  if (error instanceof Problem) return error
  // a problem that the body reader throws arrives wrapped
  if (code === 'PARSE' && error instanceof Error && error.cause instanceof Problem) return error.cause
  if (code === 'NOT_FOUND') {
    const methods = allowed()
    return methods.length === 0 ? notFound() : wrongMethod(methods)
  }
  if (code === 'VALIDATION' && isInvalid(error))
    return validationProblem(error.type, error.validator.schema, error.value)
  if (code === 'PARSE') return new Problem(400, 'malformed_body', say('problems.error.body_unreadable'))
  // the amount itself was valid, but the result is beyond the supported range
  if (error instanceof MoneyError) return invalid('amount', error.code, error.message)
  if (error instanceof ReplicaBehind)
    return new Problem(503, 'replica_behind', say('problems.error.replica_behind'), [], { 'retry-after': '5' })
  if (error instanceof ReplicaAway)
    return new Problem(503, 'replica_away', say('problems.error.replica_away'), [], {
      'retry-after': '5',
    })
  if (error instanceof NotPrimary) return notPrimary(error.role)
  if (error instanceof CommitFailed || error instanceof WriterBusy) {
    return new Problem(503, 'unavailable', say('problems.error.unavailable'), [], {
      'retry-after': '1',
    })
  }
  return internal()
}

/**
 * Returns the answer that reports a problem. It carries the headers that were set for the request so far, but neither
 * its type nor its cookies.
 */
export function problemAnswer(
  problem: Problem,
  requestId: string,
  set: Headers | Readonly<Record<string, string | number>>,
): Response {
  const headers = new Headers({ 'content-type': 'application/problem+json' })
  for (const [name, value] of set instanceof Headers ? set : Object.entries(set))
    if (name !== 'content-type' && name !== 'set-cookie') headers.set(name, String(value))
  for (const [name, value] of Object.entries(problem.headers)) headers.set(name, value)
  return new Response(JSON.stringify(problemBody(problem, requestId)), { status: problem.status, headers })
}
