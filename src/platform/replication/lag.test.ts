import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import { createLagLog, LAG_WARNS } from './lag.ts'

test('a replica that is behind is logged once, and so is that it is up to date again', () => {
  const lines: { msg: string; why?: string; lagMs?: number }[] = []
  const tell = createLagLog(createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) }))
  tell(LAG_WARNS, null)
  expect(lines).toEqual([])
  tell(LAG_WARNS + 1.4, 'no route')
  tell(LAG_WARNS + 2000, 'no route')
  tell(0, null)
  tell(0, null)
  expect(lines.map(({ msg, why, lagMs }) => [msg, lagMs, why])).toEqual([
    ['the replica is behind', LAG_WARNS + 1, 'no route'],
    ['the replica is up to date again', undefined, undefined],
  ])
})
