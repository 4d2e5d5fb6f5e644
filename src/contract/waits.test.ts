import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** Matches calls that wait for a fixed time. */
const SLEEPS = /\bBun\.sleep|\b(setTimeout|setInterval|waitForTimeout)\(|timers\/promises/
/** Matches calls that read a clock. The date in console tests is fixed: `admin-ui/testing/dom.ts`. */
const CLOCKS = { src: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/, 'admin-ui': /\bperformance\.now\(/ }

/** Lists the tests that need such a call, and why. */
const MAY: Readonly<Record<string, string>> = {
  'src/testing/browser/clerk.test.ts': 'for half a second a browser takes a second click for a double click',
}

test('no test sleeps or reads the clock, since a busy machine would make it fail', async () => {
  const found: string[] = []
  for (const folder of ['src', 'admin-ui'] as const)
    for await (const path of new Bun.Glob(`${folder}/**/*.test.{ts,tsx}`).scan(root)) {
      const lines = (await Bun.file(join(root, path)).text()).split('\n')
      const wrong = lines.flatMap((line, at) => (SLEEPS.test(line) || CLOCKS[folder].test(line) ? [at + 1] : []))
      // each listed file may have one such line
      found.push(...wrong.slice(path in MAY ? 1 : 0).map((line) => `${path}:${line}`))
      if (path in MAY && wrong.length === 0) found.push(`${path} is in the list, and need not be`)
    }
  // instead, use jest.useFakeTimers, systemClock.now of a running server, or until and turn of src/testing/until.ts
  expect(found).toEqual([])
})
