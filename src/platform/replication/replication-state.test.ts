import { expect, test } from 'bun:test'
import { turn } from '../../testing/until.ts'
import { createLog } from '../log.ts'
import { createStanding } from './replication-state.ts'

/** A standing, and what the log says of it. */
function standingWithLog() {
  const lines: { level: string; msg: string; why?: string; lineage?: string }[] = []
  const log = createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) })
  return { lines, standing: createStanding(log, () => ({ lineage: '01a', url: 'file:///backup' })) }
}

test('it begins as starting, and says why', () => {
  const { standing } = standingWithLog()
  expect([standing.state, standing.why]).toEqual(['starting', 'it is being started'])
})

test('the log tells what is new, once', () => {
  const { standing, lines } = standingWithLog()
  standing.become('down', 'no route')
  standing.become('down', 'no route')
  standing.become('down', 'disk full')
  standing.become('starting', 'a new history begins')
  standing.become('running', null)
  standing.become('running', null)
  expect(lines.map(({ msg, why, lineage }) => [msg, why ?? lineage])).toEqual([
    ['replication does not run', 'no route'],
    ['replication does not run', 'disk full'],
    ['replication does not run', 'a new history begins'],
    ['replication runs', '01a'],
  ])
  // that it begins is nothing to warn of
  expect(new Set(lines.map(({ level }) => level)).size).toBe(3)
})

test('who waits for it to run is told the first time', async () => {
  const { standing } = standingWithLog()
  let hasRun = false
  void standing.ran.then(() => {
    hasRun = true
  })
  standing.become('down', 'no route')
  await turn()
  expect(hasRun).toBe(false)
  standing.become('running', null)
  await turn()
  expect(hasRun).toBe(true)
})
