import { expect, test } from 'bun:test'
import { until } from './proof.ts'
import { AcmeError } from './wire.ts'

const clockAt = () => {
  const pauses: number[] = []
  let now = 0
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms)
    now += ms
  }
  return { pauses, clock: { now: () => now, sleep } }
}

test('the state of an order is read at growing intervals while it is pending', async () => {
  const { pauses, clock } = clockAt()
  const states = ['pending', 'processing', 'pending', 'valid']
  const read = async () => ({ status: states.shift() ?? 'invalid' })
  expect(await until(clock, read, ['pending', 'processing'])).toEqual({ status: 'valid' })
  expect(pauses).toEqual([500, 750, 1125])
})

test('an order that stays pending is given up, after pauses of ten seconds at most', async () => {
  const { pauses, clock } = clockAt()
  const asked = until(clock, async () => ({ status: 'pending' }), ['pending'])
  await expect(asked).rejects.toThrow(AcmeError)
  expect(Math.max(...pauses)).toBe(10_000)
  expect(clock.now()).toBeLessThanOrEqual(130_000)
})
