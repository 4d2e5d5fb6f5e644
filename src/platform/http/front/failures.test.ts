import { expect, test } from 'bun:test'
import { WriterBusy } from '../../db/writer.ts'
import { CommitFailed } from '../../db/writer-commit.ts'
import { MoneyError } from '../../money.ts'
import { notFound, Problem } from '../../problem.ts'
import { ReplicaAway, ReplicaBehind } from '../../replication/gate.ts'
import { isForeseen, problemAnswer, toProblem } from './failures.ts'

const toStatusAndCode = (code: string, error: unknown, methods: readonly string[] = []) => {
  const problem = toProblem(code, error, () => methods)
  return [problem.status, problem.code]
}

test('a thrown problem is reported as it is, also if the body reader wrapped it', () => {
  const problem = new Problem(413, 'too_large', 'too large')
  expect(toProblem('UNKNOWN', problem, () => [])).toBe(problem)
  expect(toProblem('PARSE', new Error('wrapped', { cause: problem }), () => [])).toBe(problem)
  expect(toStatusAndCode('PARSE', new Error('no JSON'))).toEqual([400, 'malformed_body'])
})

test('a wrong method on a known path is a 405 that names the others; an unknown path is a 404', () => {
  expect(toStatusAndCode('NOT_FOUND', new Error())).toEqual([404, 'not_found'])
  const problem = toProblem('NOT_FOUND', new Error(), () => ['GET', 'HEAD'])
  expect([problem.status, problem.headers.allow]).toEqual([405, 'GET, HEAD'])
})

test.each([
  [new CommitFailed('disk'), 503, 'unavailable', '1'],
  [new WriterBusy('full'), 503, 'unavailable', '1'],
  [new ReplicaBehind('late'), 503, 'replica_behind', '5'],
  [new ReplicaAway('away'), 503, 'replica_away', '5'],
] as const)('the answer to %s has Retry-After, and the error counts as expected', (error, status, code, seconds) => {
  const problem = toProblem('UNKNOWN', error, () => [])
  expect([problem.status, problem.code, problem.headers['retry-after']]).toEqual([status, code, seconds])
  expect(isForeseen(error, problem)).toBe(true)
})

test('an amount beyond the supported range is a 422; an unknown error is a 500 and counts as unexpected', () => {
  expect(toStatusAndCode('UNKNOWN', new MoneyError('amount_range', 'too much'))[0]).toBe(422)
  const error = new Error('a bug')
  const problem = toProblem('UNKNOWN', error, () => [])
  expect([problem.status, isForeseen(error, problem)]).toEqual([500, false])
})

test('an answer about a problem keeps the headers set so far, without content type and cookies', async () => {
  const set = { 'x-request-id': 'r-1', 'content-type': 'text/csv', 'set-cookie': 'a=b', 'x-ratelimit-limit-short': 20 }
  for (const headers of [set, new Headers(Object.entries(set).map(([name, value]) => [name, String(value)]))]) {
    const answer = problemAnswer(notFound(), 'r-1', headers)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect([answer.headers.get('x-request-id'), answer.headers.get('x-ratelimit-limit-short')]).toEqual(['r-1', '20'])
    expect(answer.headers.has('set-cookie')).toBe(false)
    expect(await answer.json()).toMatchObject({ code: 'not_found', requestId: 'r-1' })
  }
})
