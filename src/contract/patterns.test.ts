import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { everyRoute } from './seeded-app.ts'

/**
 * All patterns together take a second. One that takes more than linear time takes far longer than this on any machine.
 */
const LONGEST_MS = 120_000

function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    if (key === 'pattern' && typeof item === 'string') yield item
    else yield* patternsIn(item)
  }
}

test('every pattern of a field takes linear time on the slowest texts', async () => {
  const patterns = [
    ...new Set(everyRoute().flatMap(({ body, query, params }) => [...patternsIn([body, query, params])])),
  ]
  expect(patterns.length).toBeGreaterThan(20)
  // a regular expression cannot be stopped, so it runs in another process, which can be stopped
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'patterns.ts')], {
    stdin: new Blob([JSON.stringify(patterns)]),
    stdout: 'pipe',
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  const lines = (await new Response(child.stdout).text()).trimEnd().split('\n')
  // if it is another line, that line is the pattern that did not end
  expect(lines.at(-1)).toBe('done')
})
