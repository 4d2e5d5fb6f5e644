import { expect, test } from 'bun:test'
import { turn } from '../../../testing/until.ts'
import { canUnzip, unzip } from '../../../testing/unzip.ts'
import { type ZipFile, zip } from './zip.ts'

const texts = (...pieces: readonly string[]): ZipFile => ({ name: 'täglich.json', texts: pieces })
const bytes = (name: string, made: Uint8Array | undefined): ZipFile => ({ name, bytes: () => made })

test.skipIf(!canUnzip)('an archive has each file with all its bytes, and leaves out a file that is gone', async () => {
  const large = crypto.getRandomValues(new Uint8Array(60_000))
  const files = [
    texts('', '[1', '', ',2]'),
    bytes('gone', undefined),
    bytes('none', new Uint8Array()),
    bytes('b', large),
  ]
  const found = await unzip(new Response(Buffer.concat(await Array.fromAsync(zip(files)))))
  expect(Object.keys(found)).toEqual(['täglich.json', 'none', 'b'])
  expect(found['täglich.json']?.toString()).toBe('[1,2]')
  expect(found.none?.byteLength).toBe(0)
  expect(found.b).toEqual(Buffer.from(large))
})

test('an archive breaks off if one of its texts cannot be made', async () => {
  const failing = function* () {
    yield 'a'
    throw new Error('no more')
  }
  const made = Array.fromAsync(zip([{ name: 'a', texts: failing() }]))
  await expect(made).rejects.toThrow('no more')
})

test('an archive that nobody reads on reads no further file', async () => {
  const read: number[] = []
  const files = [1, 2, 3, 4, 5, 6, 7, 8].map((name) => ({
    name: String(name),
    bytes: () => {
      read.push(name)
      return new Uint8Array(1024 * 1024)
    },
  }))
  const archive = zip(files)
  await archive.next()
  await archive.return(undefined)
  for (let turns = 0; turns < 50; turns += 1) await turn()
  expect(read).toEqual([1])
})
