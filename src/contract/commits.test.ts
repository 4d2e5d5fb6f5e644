import { expect, test } from 'bun:test'
import { join } from 'node:path'

const SUBJECTS = ['git', 'log', '-40', '--no-merges', '--format=%s']
const git = Bun.spawnSync(SUBJECTS, { cwd: join(import.meta.dir, '../..'), stderr: 'ignore' })

test.skipIf(!git.success)('the subjects of the latest commits have at most 72 characters', () => {
  const subjects = git.stdout.toString().trimEnd().split('\n')
  expect(subjects.filter((subject) => [...subject].length > 72)).toEqual([])
})
