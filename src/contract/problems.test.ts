import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { COMMON, FIELD_CODES, isCommonCode } from '../platform/problem-codes.ts'

const root = join(import.meta.dir, '..')
let sources: { path: string; text: string }[]
beforeAll(async () => {
  const paths = [...new Bun.Glob('{platform,modules}/**/*.ts').scanSync(root)].filter(
    (path) => !path.endsWith('.test.ts') && !path.endsWith('problem-codes.ts'),
  )
  sources = await Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })))
})

test('a common problem code is thrown with the status of the catalogue only', () => {
  const wrong = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/new Problem\(\s*(\d+),\s*'(\w+)'/g)].flatMap(([, status, code = '']) =>
      isCommonCode(code) && COMMON[code].status === Number(status) ? [] : [`${path}: ${status} ${code}`],
    ),
  )
  expect(wrong).toEqual([])
})

test('the catalogue of problems lists no code that nothing answers', () => {
  const all = sources.map(({ text }) => text).join('\n')
  const unused = [...Object.keys(COMMON), ...Object.keys(FIELD_CODES)].filter(
    (code) => !new RegExp(`'${code}'|\\b${code}: '`).test(all),
  )
  expect(unused).toEqual([])
})
