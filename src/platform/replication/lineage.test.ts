import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lineageAt, otherInstallation, readHistories, writeClaim } from './histories.ts'
import { beginLineage, type Mark, replacedAt, replacedBefore } from './lineage.ts'
import { createNotes } from './notes.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

let root: string
let store: Store
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-lineage-'))
  store = openStore({ kind: 'file', directory: join(root, 'replica') }, {})
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const KEY = new Uint8Array(32).fill(1)
const histories = () => readHistories(store, createNotes(store, [KEY]))
const complete = async (lineage: string): Promise<void> => {
  const one = (await histories()).find(({ id }) => id === lineage)
  if (!one) throw new Error(`no history ${lineage}`)
  const { proof: _, ...claim } = one
  await writeClaim(store, createNotes(store, [KEY]), { ...claim, complete: true })
}

/** Starts a server over a directory, with the mark of the start before in its database. */
async function begin(
  known: Mark | undefined,
  now: number,
  { dataDir = root, by = store }: { dataDir?: string; by?: Store } = {},
): Promise<{ id: string; mark: Mark | undefined }> {
  let mark = known
  const note = async (next: Mark) => {
    mark = next
  }
  const { lineage } = await beginLineage({
    store: by,
    notes: createNotes(by, [KEY]),
    host: 'h',
    url: 'https://h.test',
    confirm: async () => {},
    dataDir,
    place: 'p',
    known,
    note,
    forget: () => {},
    now,
    schema: 1,
    version: '1',
  })
  return { id: lineage.id, mark }
}

test('until a new history has a first copy, a restore uses the one before it', async () => {
  const first = await begin(undefined, 1_000)
  expect(lineageAt(await histories(), null)).toBeUndefined()
  await complete(first.id)
  expect(lineageAt(await histories(), null)?.id).toBe(first.id)
  // a database without a mark is a new one
  const second = await begin(undefined, 5_000)
  expect(second.id).not.toBe(first.id)
  expect(lineageAt(await histories(), null)?.id).toBe(first.id)
  expect(lineageAt(await histories(), 9_000)?.id).toBe(first.id)
  await complete(second.id)
  await complete(second.id)
  expect(lineageAt(await histories(), null)?.id).toBe(second.id)
  expect(lineageAt(await histories(), 4_999)?.id).toBe(first.id)
  // nobody knows which of the two is meant, nor does a history that continues the second one show it
  const third = await begin(second.mark && { ...second.mark, begun: 7 }, 9_000)
  await complete(third.id)
  const [one, two, three] = await histories()
  if (!one || !two || !three) throw new Error('three had begun')
  expect(three.from).toBe(two.id)
  for (const later of [two, three]) expect(otherInstallation([one, two, three], later)).toBe(one)
  for (const known of [
    { ...two, from: one.id },
    { ...two, from: 'elsewhere' },
  ])
    expect(otherInstallation([one, known], known)).toBeUndefined()
  expect(otherInstallation([{ ...one, complete: false }, two], two)).toBeUndefined()
})

test('a server that continues a history whose first copy was interrupted completes that copy', async () => {
  const cut = await begin(undefined, 1_000)
  const again = await begin(cut.mark, 2_000)
  expect(again.id).toBe(cut.id)
  await complete(again.id)
  expect(await histories()).toMatchObject([{ id: cut.id, complete: true }])
})

test('a server that comes back after another installation used its place begins the newest history there', async () => {
  const first = await begin(undefined, 1_000)
  await complete(first.id)
  // for example one that was started over an empty directory by mistake
  const dataDir = join(root, 'empty')
  mkdirSync(dataDir)
  await complete((await begin(undefined, 5_000, { dataDir })).id)
  const back = await begin(first.mark, 9_000)
  await complete(back.id)
  expect(lineageAt(await histories(), null)?.id).toBe(back.id)
  expect((await histories()).at(-1)).toMatchObject({ id: back.id, from: first.id })
  expect((await begin(back.mark, 10_000)).id).toBe(back.id)
})

test('a history whose claim could not be written is claimed by the next attempt', async () => {
  let noted: Mark | undefined
  const failing: Store = {
    ...store,
    write: async (name, bytes) => {
      if (name === 'lineages.json') throw new Error('out of reach')
      await store.write(name, bytes)
    },
  }
  const parts = {
    forget: () => {},
    dataDir: root,
    place: 'p',
    now: 1_000,
    schema: 1,
    version: '1',
    known: undefined,
    host: 'h',
    url: '',
    confirm: async () => {},
  }
  const note = async (mark: Mark) => {
    noted = mark
  }
  await expect(beginLineage({ ...parts, store: failing, notes: createNotes(failing, [KEY]), note })).rejects.toThrow(
    'out of reach',
  )
  const { id } = await begin(noted, 2_000)
  await complete(id)
  expect(lineageAt(await histories(), null)?.id).toBe(id)
})

describe('a server whose data another server continued', () => {
  const here = { dataDir: '', place: 'p' }
  const elsewhere = (): string => {
    const dataDir = join(root, 'elsewhere')
    mkdirSync(dataDir)
    return dataDir
  }

  test('a server is replaced as soon as a restored one has a complete history, and remembers which one', async () => {
    const first = await begin(undefined, 1_000)
    await complete(first.id)
    const back = { ...here, dataDir: root, known: first.mark }
    expect(replacedAt(await histories(), back)).toBeUndefined()
    // a restored database has the mark, but no file beside it that agrees; the clock of its server is behind
    const second = await begin(first.mark, 500, { dataDir: elsewhere() })
    expect(second.id > first.id).toBe(true)
    expect(replacedAt(await histories(), back)).toBeUndefined()
    await complete(second.id)
    expect(replacedAt(await histories(), back)).toEqual({ host: 'h', url: 'https://h.test' })
    expect(replacedBefore(root)).toEqual({ host: 'h', url: 'https://h.test' })
    // a history that continues an earlier one of the same installation replaces the server too
    const third = await begin(first.mark && { ...first.mark, lineage: first.id }, 600, { dataDir: mkdtempSync(root) })
    await complete(third.id)
    expect(
      replacedAt(await histories(), { ...here, dataDir: join(root, 'elsewhere'), known: second.mark }),
    ).toBeDefined()
  })

  test('a server is not replaced if it was restored, has another place, or the new history is of another installation', async () => {
    const first = await begin(undefined, 1_000)
    await complete(first.id)
    const stranger = await begin(undefined, 5_000, { dataDir: elsewhere() })
    await complete(stranger.id)
    expect(replacedAt(await histories(), { ...here, dataDir: root, known: first.mark })).toBeUndefined()
    const second = await begin(first.mark, 6_000, { dataDir: mkdtempSync(root) })
    await complete(second.id)
    const known = first.mark
    expect(replacedAt(await histories(), { place: 'other', dataDir: root, known })).toBeUndefined()
    expect(replacedAt(await histories(), { place: 'p', dataDir: mkdtempSync(root), known })).toBeUndefined()
  })
})

test('histories are found by their claims if the index is missing, and by their files without claims', async () => {
  const first = await begin(undefined, 1_000)
  await complete(first.id)
  rmSync(join(root, 'replica/lineages.json'))
  expect(await histories()).toMatchObject([{ id: first.id, complete: true, proof: 'ours' }])
  rmSync(join(root, 'replica/claims'), { recursive: true })
  expect(await histories()).toEqual([])
  const file = `${first.id}/brokerbase.db/ltx/0/0000000000000001-0000000000000001.ltx`
  await store.write(file, new Uint8Array(1))
  expect(await histories()).toMatchObject([
    { id: first.id, startedAt: '1970-01-01T00:00:01.000Z', complete: true, proof: 'bare' },
  ])
})

test('the claim of a history that cannot begin is removed, and the database keeps its mark', async () => {
  const first = await begin(undefined, 1_000)
  await complete(first.id)
  let noted = 0
  const taken = beginLineage({
    store,
    notes: createNotes(store, [KEY]),
    dataDir: mkdtempSync(root),
    place: 'p',
    known: first.mark,
    forget: () => {},
    now: 5_000,
    schema: 1,
    version: '1',
    host: 'b',
    url: '',
    note: async () => {
      noted += 1
    },
    confirm: async () => {
      throw new Error('somebody else holds it')
    },
  })
  await expect(taken).rejects.toThrow('somebody else')
  expect(noted).toBe(0)
  expect(await store.list('claims')).toEqual([`claims/${first.id}.json`])
})
