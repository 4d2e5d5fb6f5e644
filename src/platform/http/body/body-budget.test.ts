import { expect, test } from 'bun:test'
import { type Arriving, type IntakeRoom, release, take } from './body-budget.ts'
import { createPatience } from './slow-body.ts'

const share = { network: 10, total: 15 }
const createRoom = (): IntakeRoom => ({
  shares: { public: share, callback: share, trader: share, upload: share, staff: share },
  arriving: new Set(),
  held: new Map(),
})
const patienceWith = createPatience()
function enter(room: IntakeRoom, network: string, firm: string): Arriving {
  const patience = patienceWith(() => {})
  const body: Arriving = { sender: 'staff', network, holder: [firm], bytes: 0, patience }
  room.arriving.add(body)
  return body
}

test('the bytes of a body count for its network and for all, and are free once it is released', () => {
  const room = createRoom()
  const body = enter(room, 'one', 'alpha')
  take(room, body, 4)
  take(room, body, 3)
  expect([...room.held]).toEqual([
    ['staff', 7],
    ['staff\none', 7],
  ])
  release(room, body)
  release(room, body)
  expect([...room.held]).toEqual([])
  // a piece that comes later no longer counts
  take(room, body, 5)
  expect([...room.held]).toEqual([])
})

test('a new body is refused once a budget is used up and its own sender holds the most bytes', () => {
  const room = createRoom()
  const first = enter(room, 'one', 'alpha')
  take(room, first, 8)
  expect(() => take(room, enter(room, 'one', 'alpha'), 3)).toThrow(expect.objectContaining({ status: 429 }))
  const other = createRoom()
  take(other, enter(other, 'one', 'alpha'), 8)
  expect(() => take(other, enter(other, 'two', 'alpha'), 8)).toThrow(expect.objectContaining({ status: 503 }))
})

test('a body of the firm with the most bytes gives way to one of a firm with few', async () => {
  const room = createRoom()
  const heavy = enter(room, 'one', 'alpha')
  const waiting = heavy.patience.wait(new Promise<void>(() => {}))
  take(room, heavy, 9)
  const light = enter(room, 'one', 'beta')
  take(room, light, 2)
  expect([...room.arriving]).toEqual([light])
  await expect(waiting).rejects.toMatchObject({ status: 429 })
  release(room, light)
})
