import { expect, test } from 'bun:test'
import { Problem } from '../../problem.ts'
import { heldBytes, type Leaving, type Room, roomFor, roomToMake } from './download-budget.ts'

const share = { person: 10, firm: 20 }
let at = 0
const createRoom = (): Room => ({
  leaving: new Set(),
  shares: { staff: share, trader: share },
  total: 30,
  now: () => at,
})
const trader = (tenantId: string, id: string) =>
  ({ tenantId, principal: { kind: 'trader', id, sessionId: 's', impersonatorId: null } }) as const

/** Adds an entry to the room that was last read at that time. */
function enter(room: Room, weights: Leaving['weights'], fetchedAt: number): Leaving {
  const entry: Leaving = { weights, fetchedAt, giveUp: () => void room.leaving.delete(entry) }
  room.leaving.add(entry)
  return entry
}

test('a person, a firm and all of them have their limit of room', () => {
  const room = createRoom()
  at = 0
  enter(room, roomFor(room, trader('alpha', 'one'), 10), at)
  expect(() => roomFor(room, trader('alpha', 'one'), 1)).toThrow(Problem)
  enter(room, roomFor(room, trader('alpha', 'two'), 10), at)
  expect(() => roomFor(room, trader('alpha', 'three'), 1)).toThrow(Problem)
  enter(room, roomFor(room, trader('beta', 'one'), 10), at)
  expect(() => roomFor(room, trader('gamma', 'one'), 1)).toThrow(Problem)
  expect(heldBytes(room)).toBe(30)
})

test('the download that has stalled the longest goes first, and only as many as needed', () => {
  const room = createRoom()
  at = 0
  const later = enter(room, roomFor(room, trader('alpha', 'one'), 5), 2)
  enter(room, roomFor(room, trader('alpha', 'one'), 5), 1)
  const elsewhere = enter(room, roomFor(room, trader('beta', 'one'), 5), 0)
  at = 9000
  roomFor(room, trader('alpha', 'one'), 5)
  expect([...room.leaving]).toEqual([later, elsewhere])
})

test('a client has one file made at a time, however small; a complete one does not count', () => {
  const room = createRoom()
  at = 0
  enter(room, roomToMake(room, trader('alpha', 'one'), 1), at)
  expect(() => roomToMake(room, trader('alpha', 'one'), 1)).toThrow(Problem)
  roomFor(room, trader('alpha', 'one'), 1)
  roomToMake(room, trader('alpha', 'two'), 1)
})
