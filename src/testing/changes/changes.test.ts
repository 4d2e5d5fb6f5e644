import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CHANGES } from './change-list.ts'
import { filesOf, withParts } from './parts.ts'

const root = join(import.meta.dir, '../../..')

test.each(CHANGES)('$name has its places in the sources, and touches no more files than it may', async (change) => {
  const files = filesOf(change.parts)
  for (const file of files) {
    const parts = change.parts.filter((part) => part.file === file)
    const isNew = parts.some((part) => 'text' in part)
    const source = isNew ? '' : await Bun.file(join(root, file)).text()
    expect(withParts(source, parts)).not.toBe(source)
  }
  // each of the three changes the interface, so that its document is one file more
  expect(files.length + 1).toBeLessThanOrEqual(change.mostFiles)
})
