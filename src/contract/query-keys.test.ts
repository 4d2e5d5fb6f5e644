import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const QUERY = /queryKey:\s*\[([^\]]*)\],\s*queryFn:\s*([\s\S]*?)(?=,\n|\n|\})/g
/** Matches the function that a query calls first, or the function that it is. */
const CALLED =
  /^(?:async )?(?:\([^)]*\) => )?(?:\{\s*(?:return )?)?[\s(]*(?:await )?(?:Promise\.all\(\[\s*)?\(?(?:await )?([\w.]+)/

/** Returns a key with a star for each part that is not a fixed text. */
const toPattern = (key: string): string =>
  key
    .split(',')
    .map((part) => part.trim())
    .map((part) => (part.startsWith("'") ? part : '*'))
    .join(' ')

test('two queries with one key call the same function, since the console caches one answer for both', async () => {
  const called = new Map<string, Map<string, string>>()
  for await (const path of new Bun.Glob('admin-ui/**/*.{ts,tsx}').scan(root)) {
    if (path.includes('.test.')) continue
    const text = await Bun.file(join(root, path)).text()
    for (const [, key = '', body = ''] of text.matchAll(QUERY)) {
      const pattern = toPattern(key)
      const [, name = body] = CALLED.exec(body) ?? []
      called.set(pattern, (called.get(pattern) ?? new Map()).set(name, path))
    }
  }
  expect(called.size).toBeGreaterThan(50)
  const shared = [...called].filter(([, names]) => names.size > 1)
  expect(shared.map(([pattern, names]) => `${pattern}: ${[...names.keys()].join(', ')}`)).toEqual([])
})
