import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import type { TestApp } from '../testing/app.ts'
import { listFields, MARK, withAt } from './attacks.ts'
import { listAlternatives, withKeys } from './routes.ts'
import { buildSample } from './samples.ts'
import type { Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'

// an operation may accept these values and change rows, so this file has its own application
let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Texts that a schema may accept, so that a parser or a comparison with another text fails on them later. */
const TEXTS = [`"${MARK}" "x"`, `<${MARK}`, `${MARK}{x}`, `https://${MARK}:443443/`]
/** Each pair is two values that look alike, or the same value twice. */
const PAIRS = [
  [`${MARK}{x}`, `${MARK.toUpperCase()}{X}`],
  [MARK, MARK],
]

const isText = (schema: TSchema): boolean =>
  listAlternatives(schema).some(({ type, enum: words }) => type === 'string' && !words)
const isTexts = (schema: TSchema): boolean =>
  listAlternatives(schema).some(({ type, items }) => type === 'array' && isText(items))

/** Returns the values that a field of this schema is tried with. */
const valuesFor = (schema: TSchema): readonly unknown[] => [
  ...(isText(schema) ? TEXTS : []),
  ...(isTexts(schema) ? PAIRS : []),
]

const asked = everyRoute().filter(({ body }) => body !== undefined)

test.each(withKeys(asked))('%s refuses a text without repeating it', async (_, route) => {
  const as = await place.make.member('platform_admin')
  const sample = await buildSample(route, place, { as })
  const faults: string[] = []
  for (const { path, schema } of route.body === undefined ? [] : listFields(route.body, sample.body))
    for (const value of valuesFor(schema)) {
      const body = withAt(sample.body, path, value)
      const { status, text } = await app.call(route.method, sample.path, { as, body })
      if (status >= 400 && text.toLowerCase().includes(MARK))
        faults.push(`${path.join('.')} ${JSON.stringify(value)}: ${status} ${text}`)
    }
  expect(faults).toEqual([])
})
