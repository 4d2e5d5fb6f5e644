import { expect, test } from 'bun:test'
import { turn } from '../../testing/until.ts'
import { createLog } from '../log.ts'
import { createGate, ReplicaAway, ReplicaBehind } from './gate.ts'

const log = createLog({ level: 'silent' })

/** Makes a gate over a replica that answers when the test lets it. */
function replica(options: { wait?: 'off' | 'money' | 'all'; degrade?: boolean } = {}) {
  const { wait = 'all', degrade = false } = options
  const calls: PromiseWithResolvers<void>[] = []
  let isAway = false
  let isSure = true
  let commits = 0
  let has = 0
  const gate = createGate({
    wait,
    degrade,
    sync: () => {
      const call = Promise.withResolvers<void>()
      const upTo = commits
      calls.push(call)
      return call.promise.then(() => {
        has = Math.max(has, upTo)
      })
    },
    isSure: () => isSure,
    isAway: () => isAway,
    committed: () => {
      commits += 1
    },
    owe: () => {
      const owed = commits
      return () => has >= owed
    },
    log,
  })
  return {
    gate,
    calls,
    away: (is: boolean) => {
      isAway = is
    },
    sure: (is: boolean) => {
      isSure = is
    },
  }
}
const trackSettled = (promise: Promise<void>) => {
  const seen = { state: 'waits' }
  promise.then(
    () => {
      seen.state = 'reached'
    },
    (error: unknown) => {
      seen.state = error instanceof ReplicaBehind ? 'behind' : String(error)
    },
  )
  return seen
}

test.each([
  ['off', false, false],
  ['money', false, true],
  ['all', true, true],
] as const)(
  'with the setting %s, any write waits for the replica: %p; a write with money waits: %p',
  (wait, any, money) => {
    const { gate } = replica({ wait })
    expect([gate.wants(false), gate.wants(true)]).toEqual([any, money])
  },
)

test('writes that come during a sync wait for the next one, which they share', async () => {
  const { gate, calls } = replica()
  const first = trackSettled(gate.reached())
  const later = [trackSettled(gate.reached()), trackSettled(gate.reached())]
  expect(calls).toHaveLength(1)
  calls[0]?.resolve()
  await turn()
  expect([first.state, ...later.map(({ state }) => state)]).toEqual(['reached', 'waits', 'waits'])
  expect(calls).toHaveLength(2)
  calls[1]?.resolve()
  await turn()
  expect(later.map(({ state }) => state)).toEqual(['reached', 'reached'])
})

test('a sync that fails fails only the writes that waited for it', async () => {
  const { gate, calls } = replica()
  const first = trackSettled(gate.reached())
  const second = trackSettled(gate.reached())
  calls[0]?.reject(new Error('no route'))
  await turn()
  calls[1]?.resolve()
  await turn()
  expect([first.state, second.state]).toEqual(['behind', 'reached'])
})

test('after a write failed to reach the replica, stored answers are refused until the replica has it', async () => {
  const { gate, calls } = replica()
  gate.committed()
  const first = trackSettled(gate.reached())
  calls[0]?.reject(new Error('no route'))
  await turn()
  expect(first.state).toBe('behind')
  expect(() => gate.demandOwed()).toThrow(ReplicaBehind)
  const second = trackSettled(gate.reached())
  calls[1]?.resolve()
  await turn()
  expect(second.state).toBe('reached')
  expect(() => gate.demandOwed()).not.toThrow()
})

test('while the replica is known to be out of reach, no write begins', () => {
  const { gate, away } = replica()
  expect(() => gate.demand()).not.toThrow()
  away(true)
  expect(() => gate.demand()).toThrow(ReplicaAway)
  expect(() => gate.demandOwed()).toThrow(ReplicaBehind)
})

test('with `degrade`, answers leave while the replica is out of reach, and wait for it once it is back', async () => {
  const { gate, calls, away } = replica({ degrade: true })
  const first = trackSettled(gate.reached())
  away(true)
  calls[0]?.reject(new Error('no route'))
  await turn()
  expect(first.state).toBe('reached')
  expect(() => gate.demand()).not.toThrow()
  expect(trackSettled(gate.reached())).toBeDefined()
  expect(calls).toHaveLength(1)
  away(false)
  const back = trackSettled(gate.reached())
  expect(calls).toHaveLength(2)
  calls[1]?.resolve()
  await turn()
  expect(back.state).toBe('reached')
})

test('an answer that waited is refused if another server can have taken the place', async () => {
  const { gate, calls, sure } = replica()
  gate.committed()
  const waiting = gate.reached()
  sure(false)
  calls[0]?.resolve()
  expect(await waiting.catch((error: unknown) => error)).toBeInstanceOf(ReplicaBehind)
  sure(true)
  const next = gate.reached()
  calls[1]?.resolve()
  await next
})
