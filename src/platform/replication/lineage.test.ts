import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginLineage, completeLineage, lineageAt, type Mark, otherInstallation, readLineages } from './lineage.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

let root: string
let store: Store
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-lineage-'))
  store = openStore({ kind: 'file', directory: join(root, 'replica') }, {})
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A start of a server over a directory, as the database remembers those before. */
async function begin(
  known: Mark | undefined,
  now: number,
  { dataDir = root, by = store }: { dataDir?: string; by?: Store } = {},
): Promise<{ id: string; mark: Mark | undefined }> {
  let mark = known
  const note = async (next: Mark) => {
    mark = next
  }
  const { id } = await beginLineage({
    store: by,
    dataDir,
    place: 'p',
    known,
    note,
    forget: () => {},
    now,
    schema: 1,
    version: '1',
  })
  return { id, mark }
}

test('until a new history has a first copy, the one before it is the newest that anything can be fetched from', async () => {
  const first = await begin(undefined, 1_000)
  expect(lineageAt(await readLineages(store), null)).toBeUndefined()
  await completeLineage(store, first.id)
  expect(lineageAt(await readLineages(store), null)?.id).toBe(first.id)
  // a database that knows nothing of its replication was put there anew
  const second = await begin(undefined, 5_000)
  expect(second.id).not.toBe(first.id)
  expect(lineageAt(await readLineages(store), null)?.id).toBe(first.id)
  expect(lineageAt(await readLineages(store), 9_000)?.id).toBe(first.id)
  await completeLineage(store, second.id)
  await completeLineage(store, second.id)
  expect(lineageAt(await readLineages(store), null)?.id).toBe(second.id)
  expect(lineageAt(await readLineages(store), 4_999)?.id).toBe(first.id)
  // which of them is meant is not known, nor is it of what goes on from the second
  const third = await begin(second.mark && { ...second.mark, begun: 7 }, 9_000)
  await completeLineage(store, third.id)
  const [one, two, three] = await readLineages(store)
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

test('a start that goes on with a history whose first copy was cut off completes it', async () => {
  const cut = await begin(undefined, 1_000)
  const again = await begin(cut.mark, 2_000)
  expect(again.id).toBe(cut.id)
  await completeLineage(store, again.id)
  expect(await readLineages(store)).toMatchObject([{ id: cut.id, complete: true }])
})

test('a server that comes back after another one replicated to its place is the newest there again', async () => {
  const first = await begin(undefined, 1_000)
  await completeLineage(store, first.id)
  // such as one that was started over an empty directory by mistake
  const dataDir = join(root, 'empty')
  mkdirSync(dataDir)
  await completeLineage(store, (await begin(undefined, 5_000, { dataDir })).id)
  const back = await begin(first.mark, 9_000)
  await completeLineage(store, back.id)
  expect(lineageAt(await readLineages(store), null)?.id).toBe(back.id)
  expect((await readLineages(store)).at(-1)).toMatchObject({ id: back.id, from: first.id })
  expect((await begin(back.mark, 10_000)).id).toBe(back.id)
})

test('a history that could not be named at first is named by the next try', async () => {
  let noted: Mark | undefined
  const failing: Store = {
    ...store,
    write: async (name, bytes) => {
      if (name === 'lineages.json') throw new Error('out of reach')
      await store.write(name, bytes)
    },
  }
  const parts = { forget: () => {}, dataDir: root, place: 'p', now: 1_000, schema: 1, version: '1', known: undefined }
  const note = async (mark: Mark) => {
    noted = mark
  }
  await expect(beginLineage({ ...parts, store: failing, note })).rejects.toThrow('out of reach')
  const { id } = await begin(noted, 2_000)
  await completeLineage(store, id)
  expect(lineageAt(await readLineages(store), null)?.id).toBe(id)
})
