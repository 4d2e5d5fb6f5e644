import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { circleIn, describeCircle, type Imports, importsBetween, wayBetween } from './circles.ts'

const root = join(import.meta.dir, '../..')

/** Returns the imports between the folders and files directly below a folder of the product. */
async function readImports(base: string): Promise<Imports> {
  const paths = await Array.fromAsync(new Bun.Glob(`${base}/**/*.{ts,tsx}`).scan(root))
  const product = paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort()
  const sources = product.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() }))
  return importsBetween(base, await Promise.all(sources))
}

/** Lists the folders that each folder may use, the lowest first. Any other import is refused, and any unused entry. */
const MAY_USE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'src/modules': {
    base: [],
    firm: ['base'],
    clients: ['base', 'firm'],
    books: ['base', 'firm', 'clients'],
    terminals: ['base', 'firm', 'clients', 'books'],
    growth: ['base', 'firm', 'clients', 'books'],
    overview: ['base', 'firm', 'clients', 'books', 'terminals', 'growth'],
    box: ['base', 'firm', 'clients', 'books'],
  },
  'src/platform/http': { openapi: [], body: [], answers: [], lists: ['answers'], front: ['body', 'answers'] },
  'admin-ui/features': {
    base: [],
    firm: ['base'],
    clients: ['firm'],
    books: ['firm', 'clients'],
    terminals: ['firm', 'clients', 'books'],
    growth: ['firm', 'clients'],
    overview: ['base', 'firm', 'clients', 'books', 'terminals', 'growth'],
    box: ['base', 'firm', 'growth', 'overview'],
  },
  'admin-ui/lib': {
    text: [],
    api: ['text'],
    screen: ['text', 'api'],
    lists: ['text', 'api', 'screen'],
    forms: ['text', 'api', 'lists'],
    csv: ['text', 'api', 'forms'],
  },
  'admin-ui/components': { show: [], page: ['show'], forms: ['show', 'page'], lists: ['show', 'page', 'forms'] },
}
const wings = Object.keys(MAY_USE['src/modules'] ?? {})

describe('folders', () => {
  test.each(['src/platform', ...wings.flatMap((wing) => [`src/modules/${wing}`, `admin-ui/features/${wing}`])])(
    'the imports between folders of %s form no circle, even with those of types',
    async (base) => {
      const imports = await readImports(base)
      const circle = circleIn(imports)
      // a lower folder gets what it needs of a higher one as a parameter: src/README “Imports”
      expect(circle && describeCircle(imports, circle)).toBeNull()
    },
  )

  test.each(Object.entries(MAY_USE))(
    'folders of %s use exactly the lower folders that are named',
    async (base, rooms) => {
      const imports = await readImports(base)
      const unused = Object.entries(rooms).flatMap(([from, below]) =>
        below.filter((to) => !imports.get(from)?.has(to)).map((to) => `${from} does not use ${to}`),
      )
      const unnamed = [...imports].flatMap(([from, used]) =>
        [...used].flatMap(([to, by]) => (rooms[from]?.includes(to) ? [] : by)),
      )
      expect([...unused, ...unnamed]).toEqual([])
      const lower = Object.keys(rooms)
      expect(lower.filter((from, at) => rooms[from]?.some((to) => lower.indexOf(to) >= at))).toEqual([])
    },
  )

  test('no module imports `client-record`, `merges` or `privacy`', async () => {
    const imports = await readImports('src/modules/overview')
    const gatherers = ['client-record', 'merges', 'privacy']
    const importers = [...imports].flatMap(([from, of]) =>
      gatherers.flatMap((to) => (of.get(to) ?? []).map((told) => `${from}: ${told}`)),
    )
    expect(importers).toEqual([])
  })
})

describe('the finder', () => {
  const files = (texts: Readonly<Record<string, string>>): Imports =>
    importsBetween(
      'src/modules',
      Object.entries(texts).map(([path, text]) => ({ path: `src/modules/${path}`, text })),
    )

  test('the search for circles names a shortest circle with its imports, also those of types and over several lines', () => {
    const found = files({
      'a/a.service.ts': "import {\n  one,\n  two,\n} from '../b/b.service.ts'\nimport { own } from './own.ts'",
      'b/b.service.ts': "import type { Row } from '../c/c.table.ts'\nimport { sql } from '../../platform/sql.ts'",
      'c/c.table.ts': "const late = () => import('../a/a.service.ts')",
      'd/deep/d.ts': "export { low } from '../../a/a.service.ts'\nimport '../../d/side.ts'",
    })
    expect(describeCircle(found, circleIn(found) ?? [])).toBe(
      [
        'a → b → c → a',
        'src/modules/a/a.service.ts imports src/modules/b/b.service.ts',
        'src/modules/b/b.service.ts imports src/modules/c/c.table.ts',
        'src/modules/c/c.table.ts imports src/modules/a/a.service.ts',
      ].join('\n  '),
    )
  })

  test('the search for circles finds none if each folder imports only those below it', () => {
    const found = files({ 'a/a.ts': "import '../b/b.ts'\nimport '../c/c.ts'", 'b/b.ts': "import '../c/c.ts'" })
    expect([...(found.get('a')?.keys() ?? [])]).toEqual(['b', 'c'])
    expect(circleIn(found)).toBeNull()
    expect(wayBetween(found, 'a', 'c')).toEqual(['a', 'c'])
    expect(wayBetween(found, 'c', 'a')).toBeNull()
  })
})
