import { expect, test } from 'bun:test'
import { Problem } from '../../problem.ts'
import { type Download, heldBytes, type Room, weighBytes, weighMadeFile } from './download-budget.ts'

const share = { person: 10, firm: 20 }
let at = 0
const createRoom = (): Room => ({
  downloads: new Set(),
  shares: { staff: share, trader: share },
  total: 30,
  now: () => at,
})
const trader = (tenantId: string, id: string) =>
  ({ tenantId, principal: { kind: 'trader', id, sessionId: 's', impersonatorId: null } }) as const

/** Adds a download whose last read was at that time. */
function addDownload(room: Room, weights: Download['weights'], fetchedAt: number): Download {
  const entry: Download = { weights, fetchedAt, giveUp: () => void room.downloads.delete(entry) }
  room.downloads.add(entry)
  return entry
}

test('the waiting bytes of a person, of a firm and of all firms are each limited', () => {
  const room = createRoom()
  at = 0
  addDownload(room, weighBytes(room, trader('alpha', 'one'), 10), at)
  expect(() => weighBytes(room, trader('alpha', 'one'), 1)).toThrow(Problem)
  addDownload(room, weighBytes(room, trader('alpha', 'two'), 10), at)
  expect(() => weighBytes(room, trader('alpha', 'three'), 1)).toThrow(Problem)
  addDownload(room, weighBytes(room, trader('beta', 'one'), 10), at)
  expect(() => weighBytes(room, trader('gamma', 'one'), 1)).toThrow(Problem)
  expect(heldBytes(room)).toBe(30)
})

test('only as many stalled downloads end as needed, the one without a read for the longest time first', () => {
  const room = createRoom()
  at = 0
  const later = addDownload(room, weighBytes(room, trader('alpha', 'one'), 5), 2)
  addDownload(room, weighBytes(room, trader('alpha', 'one'), 5), 1)
  const elsewhere = addDownload(room, weighBytes(room, trader('beta', 'one'), 5), 0)
  at = 9000
  weighBytes(room, trader('alpha', 'one'), 5)
  expect([...room.downloads]).toEqual([later, elsewhere])
})

test('only one file at a time is made for a client, however small; a file that exists already does not count', () => {
  const room = createRoom()
  at = 0
  addDownload(room, weighMadeFile(room, trader('alpha', 'one'), 1), at)
  expect(() => weighMadeFile(room, trader('alpha', 'one'), 1)).toThrow(Problem)
  weighBytes(room, trader('alpha', 'one'), 1)
  weighMadeFile(room, trader('alpha', 'two'), 1)
})
