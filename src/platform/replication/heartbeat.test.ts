import { beforeEach, expect, test } from 'bun:test'
import { MINUTE, SECOND, toIso } from '../clock.ts'
import { beatForStandbys } from './heartbeat.ts'
import { createNotes } from './notes.ts'
import { createStandbyWatch, type StandbyNote, standbyName } from './standby-notes.ts'

const KEY = new Uint8Array(32).fill(1)
const files = new Map<string, Uint8Array>()
let [wall, steady] = [0, 0]
const store = {
  read: async (name: string) => files.get(name),
  write: async (name: string, bytes: Uint8Array) => void files.set(name, bytes),
  remove: async (name: string) => void files.delete(name),
  list: async (name: string) => [...files.keys()].filter((one) => one.startsWith(`${name}/`)),
}
const notes = createNotes(store, [KEY])
const show = (id: string, key = KEY): Promise<void> =>
  createNotes(store, [key]).write(standbyName(id), {
    host: id,
    url: '',
    ageSeconds: 2,
    history: 'h',
    seenAt: toIso(wall),
  } satisfies StandbyNote)
const pass = (ms: number): void => {
  wall += ms
  steady += ms
}
const watch = () => createStandbyWatch({ store, notes, now: () => wall, steady: () => steady })
const hosts = async (look: () => Promise<StandbyNote[]>) => (await look()).map(({ host }) => host)
beforeEach(() => {
  files.clear()
  ;[wall, steady] = [1_000_000_000, 0]
})

test('a standby is there for ten minutes after its last note, and not one whose note has another key', async () => {
  const look = watch()
  expect(await hosts(look)).toEqual([])
  await show('b')
  await show('stranger', new Uint8Array(32).fill(2))
  expect(await hosts(look)).toEqual(['b'])
  pass(10 * MINUTE)
  expect(await hosts(look)).toEqual(['b'])
  pass(1)
  expect(await hosts(look)).toEqual([])
  await show('b')
  expect(await hosts(look)).toEqual(['b'])
  files.delete(standbyName('b'))
  expect(await hosts(look)).toEqual([])
})

test('a note that a standby left behind long ago does not count, and a wrong clock of a living one does not matter', async () => {
  await show('dead')
  pass(10 * MINUTE + 1)
  const look = watch()
  expect(await hosts(look)).toEqual([])
  wall -= 60 * MINUTE
  await show('early')
  wall += 60 * MINUTE
  expect(await hosts(look)).toEqual([])
  pass(30 * SECOND)
  wall -= 60 * MINUTE
  await show('early')
  wall += 60 * MINUTE
  expect(await hosts(look)).toEqual(['early'])
})

test.each([
  ['file', 2],
  ['sftp', 2],
  ['s3', 10],
] as const)(
  'heartbeats to a place of the kind %s are %i seconds apart while a standby is there, and none else',
  async (kind, seconds) => {
    const beats: number[] = []
    const looks: number[] = []
    const ending = new AbortController()
    await beatForStandbys(
      {
        kind,
        wasFollowed: false,
        look: async () => {
          looks.push(steady / SECOND)
          if (steady === 60 * SECOND) throw new Error('the place is out of reach')
          return steady === 30 * SECOND
            ? [{ host: 'b', url: '', ageSeconds: null, history: 'h', seenAt: toIso(wall) }]
            : []
        },
        beat: async () => void beats.push(steady / SECOND),
        steady: () => steady,
        sleep: async (ms) => {
          pass(ms)
          if (steady > 100 * SECOND) ending.abort()
        },
      },
      ending.signal,
    )
    expect(looks).toEqual([0, 30, 60, 90])
    // the look at 60 failed, so that the standby is still thought to be there until the one at 90
    const expected = Array.from({ length: 60 / seconds }, (_, beat) => 30 + beat * seconds)
    expect(beats).toEqual(expected.filter((at) => at !== 60))
  },
)

test('a server that had a standby lately writes heartbeats until its second look', async () => {
  const beats: number[] = []
  const ending = new AbortController()
  await beatForStandbys(
    {
      kind: 's3',
      wasFollowed: true,
      look: async () => [],
      beat: async () => void beats.push(steady / SECOND),
      steady: () => steady,
      sleep: async (ms) => {
        pass(ms)
        if (steady > 100 * SECOND) ending.abort()
      },
    },
    ending.signal,
  )
  expect(beats).toEqual([0, 10, 20])
})
