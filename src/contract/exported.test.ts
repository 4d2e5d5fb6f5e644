import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Module, readModule, untaken } from './exported.ts'

const root = join(import.meta.dir, '../..')
async function read(): Promise<Module[]> {
  const paths = ['build.ts', 'litestream.ts']
  for (const folder of ['src', 'admin-ui'])
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root))
      if (!path.endsWith('.d.ts')) paths.push(path)
  return Promise.all(paths.sort().map(async (path) => readModule(path, await Bun.file(join(root, path)).text())))
}

/** Values in tests of types only have to compile or to fail to compile, so their exports count as used. */
const TYPES_IN_TESTS = /\.test\.tsx?: /

/** Lists the exports that no source imports, and what uses them. */
const ELSEWHERE: readonly string[] = [
  // build.ts writes the entry of the executable, which uses it
  'src/platform/embedded.ts: registerEmbedded',
]

test('every export is imported by another file, at least by a test', async () => {
  // an export that no file imports should become private or be deleted
  const left = untaken(await read(), () => true)
  expect(left.filter((item) => !TYPES_IN_TESTS.test(item))).toEqual([...ELSEWHERE])
}, 180_000)

test('an import counts as a use in each of its forms', () => {
  const giver = readModule(
    'a/giver.ts',
    'export const one = 1, two = 2\nexport const { three, four: [five] } = x\nexport type Six = 6\nconst seven = 7\n' +
      "export function eight() {}\nexport { seven }\nexport { nine } from './nine.ts'\nexport interface Nine {}",
  )
  expect(giver.exports).toEqual(['one', 'two', 'three', 'five', 'Six', 'eight', 'seven', 'nine', 'Nine'])
  const takers = [
    readModule('a/names.ts', "import { one as uno, type Six } from './giver.ts'"),
    readModule('b/whole.ts', "import * as giver from '../a/giver.ts'\ngiver.two()"),
    readModule('b/later.tsx', "const Five = lazy(() => import('../a/giver.ts'), 'five')"),
    readModule('a/passing.ts', "export { three } from './giver.ts'"),
    readModule('a/typed.ts', "type Eight = typeof import('./giver.ts').eight"),
    readModule('a/more.ts', "declare module './giver.ts' {\n  interface Nine {}\n}"),
  ]
  expect(untaken([giver, ...takers], () => true)).toEqual([
    'a/giver.ts: seven',
    'a/giver.ts: nine',
    'a/passing.ts: three',
  ])
  expect(untaken([giver, ...takers], (taker) => taker === 'a/names.ts').slice(0, 2)).toEqual([
    'a/giver.ts: two',
    'a/giver.ts: three',
  ])
})
