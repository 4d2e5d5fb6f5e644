import { expect, test } from 'bun:test'
import { turn } from '../../testing/until.ts'
import { createLog } from '../log.ts'
import { createReplicationStatus } from './replication-state.ts'

/** Makes a status, and the lines that it logs. */
function createStatusWithLog() {
  const lines: { level: string; msg: string; why?: string; lineage?: string }[] = []
  const log = createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) })
  return { lines, status: createReplicationStatus(log, () => ({ lineage: '01a', url: 'file:///backup' })) }
}

test('the status of replication begins as starting, with a reason', () => {
  const { status } = createStatusWithLog()
  expect([status.state, status.why]).toEqual(['starting', 'it is being started'])
})

test('a change of the replication’s status is logged once', () => {
  const { status, lines } = createStatusWithLog()
  status.become('down', 'no route')
  status.become('down', 'no route')
  status.become('down', 'disk full')
  status.become('starting', 'a new history begins')
  status.become('running', null)
  status.become('running', null)
  expect(lines.map(({ msg, why, lineage }) => [msg, why ?? lineage])).toEqual([
    ['replication does not run', 'no route'],
    ['replication does not run', 'disk full'],
    ['replication does not run', 'a new history begins'],
    ['replication runs', '01a'],
  ])
  // the beginning of a history is logged with another level than a failure
  expect(new Set(lines.map(({ level }) => level)).size).toBe(3)
})

test('a caller that waits for replication continues when it runs for the first time', async () => {
  const { status } = createStatusWithLog()
  let hasRun = false
  void status.ran.then(() => {
    hasRun = true
  })
  status.become('down', 'no route')
  await turn()
  expect(hasRun).toBe(false)
  status.become('running', null)
  await turn()
  expect(hasRun).toBe(true)
})
