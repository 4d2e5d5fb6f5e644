import { expect, test } from 'bun:test'
import { type Attempt, createSlots } from './webhooks.slots.ts'

const receivers = (tenantId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `${tenantId}${n}`, tenantId }))

/** Makes slots with a test clock; `fill` starts as many attempts as there is room for. */
function world(firms = 2) {
  let now = 0
  const slots = createSlots(() => now)
  const fill = (all: readonly { id: string; tenantId: string }[]): Attempt[] => {
    const places = slots.tally(firms)
    const started: Attempt[] = []
    for (const receiver of all) {
      const room = places.room(receiver)
      for (let n = 0; n < room; n += 1) {
        places.take(receiver)
        started.push(slots.start(receiver))
      }
    }
    return started
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { slots, fill, pass }
}

test('a new receiver gets one attempt, a quick one four at once, and one that became slow gets one', () => {
  const { slots, fill, pass } = world()
  const one = receivers('a', 1)
  const [first] = fill(one)
  if (!first) throw new Error('nothing started')
  expect(fill(one)).toEqual([])
  pass(100)
  slots.end(first)
  const four = fill(one)
  expect(four).toHaveLength(4)
  pass(2500)
  for (const attempt of four) slots.end(attempt)
  expect(fill(one)).toHaveLength(1)
})

test('a firm whose receivers all hang takes no slot from another firm, and leaves slots to its own quick receivers', () => {
  const { slots, fill, pass } = world()
  const [healthy, ...hanging] = receivers('b', 300)
  if (!healthy) throw new Error('nobody')
  for (const attempt of fill([healthy])) slots.end(attempt)
  expect(fill(hanging)).toHaveLength(16)
  // the firm's slots are taken for a moment; those of the other firm are not
  expect(fill([healthy])).toEqual([])
  expect(fill(receivers('a', 3))).toHaveLength(3)
  pass(2001)
  expect(fill([healthy])).toHaveLength(4)
})

test('receivers known as slow never take the slots of quick ones', () => {
  const { slots, fill, pass } = world()
  const slow = receivers('b', 40)
  for (const receiver of slow) {
    const attempt = slots.start(receiver)
    pass(3000)
    slots.end(attempt)
  }
  expect(fill(slow)).toHaveLength(16)
  expect(fill(receivers('b', 60).slice(40))).toHaveLength(16)
})

test('with very many firms each has fewer slots, and at least one', () => {
  expect(world(64).fill(receivers('a', 60))).toHaveLength(8)
  expect(world(5000).fill(receivers('a', 60))).toHaveLength(1)
})
