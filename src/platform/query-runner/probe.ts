import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MIB } from '../bytes.ts'

const Input = Type.Object({
  take: Type.Union([
    Type.Literal('nothing'),
    Type.Literal('native'),
    Type.Literal('objects'),
    Type.Literal('cpu'),
    Type.Literal('output'),
    Type.Literal('killed'),
  ]),
})

/**
 * Tries to take more than a child may have, so that tests and the smoke run can check that the limits hold in this
 * build, on this machine.
 */
export function probeTask(input: unknown): unknown {
  const { take } = Value.Decode(Input, input)
  if (take === 'native') {
    const database = new Database(':memory:')
    // each row is twice as long as the one before it
    return database
      .query(
        'WITH RECURSIVE t(n, s) AS (SELECT 1, zeroblob(1000000) UNION ALL SELECT n + 1, CAST(s AS TEXT) || CAST(s AS TEXT) FROM t WHERE n < 30) SELECT max(length(s)), group_concat(hex(s)) FROM t',
      )
      .values()
  }
  if (take === 'objects') for (const hoard: object[] = []; ; ) hoard.push({ n: hoard.length })
  if (take === 'cpu') for (;;);
  // the kernel ends a child like this at its limit of CPU time, or when the machine has no memory left
  if (take === 'killed') process.kill(process.pid, 'SIGKILL')
  if (take === 'output') return 'x'.repeat(80 * MIB)
  const [, nice, policy] =
    /^\d+ \(.*\)(?: \S+){16} (\S+)(?: \S+){21} (\S+)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? []
  return { limits: readFileSync('/proc/self/limits', 'utf8'), nice: Number(nice), policy: Number(policy) }
}
