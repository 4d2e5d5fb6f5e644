import { expect, test } from 'bun:test'
import type { Room } from './download-budget.ts'
import { createPieceStream, createStream } from './download-streams.ts'

let at = 0
const share = { person: 1, firm: 1 }
const createRoom = (): Room => ({
  downloads: new Set(),
  shares: { staff: share, trader: share },
  total: 1,
  now: () => at,
})

test('a download copies its bytes in order, notes the time of each piece, and no longer counts against the limits after its last piece', async () => {
  const room = createRoom()
  at = 1
  const bytes = Uint8Array.from({ length: 150_000 }, (_, index) => index % 251)
  const reader = createStream(room, new Map(), bytes).getReader()
  const [entry] = room.downloads
  at = 2
  const pieces = [(await reader.read()).value, (await reader.read()).value]
  expect(entry?.fetchedAt).toBe(2)
  pieces.push((await reader.read()).value)
  expect(room.downloads.size).toBe(0)
  expect((await reader.read()).done).toBe(true)
  expect(Buffer.concat(pieces.flatMap((piece) => piece ?? [])).equals(bytes)).toBe(true)
  expect(pieces[0]?.buffer).not.toBe(bytes.buffer)
})

test('a download that is given up fails for its reader, and its generator ends', async () => {
  const room = createRoom()
  let ended = false
  const make = async function* () {
    try {
      for (;;) yield new Uint8Array(1)
    } finally {
      ended = true
    }
  }
  const readers = [
    createStream(room, new Map(), new Uint8Array(1_000_000)).getReader(),
    createPieceStream(room, new Map(), make()).getReader(),
  ]
  for (const reader of readers) await reader.read()
  for (const entry of room.downloads) entry.giveUp()
  expect(room.downloads.size).toBe(0)
  for (const reader of readers) await expect(reader.read().then(() => reader.read())).rejects.toThrow('too slowly')
  expect(ended).toBe(true)
})
