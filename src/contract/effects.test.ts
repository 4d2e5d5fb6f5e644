import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withAt } from './attacks.ts'
import { findNoise, isShown, observe, type Run, shows } from './effects.ts'
import { ALSO, SHOWN_AS } from './field-values.ts'
import { type Field, fieldsIn, otherValues, pathIn, valueAt } from './fields.ts'
import { takenAt } from './places.ts'
import { type Route, withKeys } from './routes.ts'
import type { Make, Sample } from './sample.ts'
import { buildSample } from './samples.ts'
import type { Place } from './seed-firm.ts'
import { everyRoute, furnished } from './seeded-app.ts'
import { UNSEEN } from './unseen-fields.ts'

const routes = everyRoute()
const reads: ReadonlySet<string> = new Set(routes.filter(({ mutates }) => !mutates).map(({ path }) => path))
/** Sorts settings of the whole firm last, since samples of other operations depend on them. */
const isSetting = ({ method, params }: Route): number => Number(method !== 'POST' && params.length === 0)
const asked = routes
  // an installation is set up once, which `setup.test.ts` tests
  .filter(({ mutates, body, key }) => mutates && body !== undefined && key !== 'POST /v1/setup')
  .toSorted((a, b) => isSetting(a) - isSetting(b))

let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  place = world.place
})
afterAll(() => world.close())

/** Returns the path of a field as documents write it: `rules[].minLots`. */
const formatPath = ({ path }: Field): string => path.join('.').replaceAll('.*', '[]')
const formatName = ({ operationId }: Route, field: Field): string => `${operationId} ${formatPath(field)}`
const sentIn = ({ body }: Sample, field: Field): unknown => valueAt(body, pathIn(body, field))

/** Repeats a sample of an operation, and finds which paths differ between runs of the same request. */
function repeated(route: Route, make?: Make) {
  const noise = new Set<string>()
  const run = async (change: (sample: Sample) => Promise<Sample | undefined>): Promise<Run | undefined> => {
    const as = await place.make.member('platform_admin')
    const sample = await change(await buildSample(route, place, { as }, make))
    return sample && observe(route, place, sample, { as, reads })
  }
  const again = async (before?: Run): Promise<Run> => {
    const next = await run(async (sample) => sample)
    if (next === undefined || next.answer.status >= 300)
      throw new Error(`${route.key} answered ${next?.answer.status}: ${next?.answer.text}`)
    if (before) for (const path of findNoise(before.seen, next.seen)) noise.add(path)
    return next
  }
  /**
   * Sends the field's value with this index. Returns undefined if that is the present value, `over` after the last one.
   */
  const vary = async (field: Field, index: number): Promise<Run | 'over' | undefined> => {
    let isOver = false
    const changed = await run(async (sample) => {
      const values = await otherValues(formatName(route, field), field, sample.body, place)
      isOver = index >= values.length
      if (isOver || Bun.deepEquals(values[index], sentIn(sample, field))) return undefined
      return { ...sample, body: withAt(sample.body, pathIn(sample.body, field), values[index]) }
    })
    return isOver ? 'over' : changed
  }
  return { noise, again, vary }
}

/** A field for which no effect was found, and the requests that were tried, which differ in this field alone. */
type Left = { field: Field; tried: readonly string[] }

const printed = ({ method }: Route, { sample, answer }: Run): string => {
  const { status, body } = answer
  const wrong = body?.errors?.[0]
  const refusal = status < 300 ? '' : ` ${wrong?.path ?? ''} ${wrong?.message ?? body?.code}`
  return `${method} ${sample.path} ${JSON.stringify(sample.body)} → ${status}${refusal}`.slice(0, 400)
}

/** Looks for an effect of each field, and returns the fields without one. */
async function unseen(route: Route, fields: readonly Field[], make?: Make): Promise<Left[]> {
  const { noise, again, vary } = repeated(route, make)
  let before = await again()
  let last = await again(before)
  const left: Left[] = []
  for (const field of fields) {
    const name = SHOWN_AS[formatName(route, field)] ?? field.path.at(-1) ?? ''
    const sent: [unknown, unknown] = [sentIn(before.sample, field), sentIn(last.sample, field)]
    let found = isShown(name, sent, [before.seen, last.seen])
    const tried: string[] = []
    for (let index = 0; !found; index += 1) {
      const changed = await vary(field, index)
      if (changed === 'over') break
      if (changed === undefined) continue
      tried.push(printed(route, changed))
      if (changed.answer.status >= 300) continue
      before = last
      last = await again(before)
      found = shows(name, sentIn(changed.sample, field), [before.seen, changed.seen], noise)
    }
    // a field with only one possible value cannot have a visible effect
    if (!found && tried.length > 0) left.push({ field, tried: [printed(route, last), ...tried] })
  }
  return left
}

const formatLeft = (route: Route, { field, tried }: Left): string =>
  `${formatName(route, field)} has no effect: take it at ${takenAt(route)}, or give it another value in \
src/contract/field-values.ts, or say in src/contract/unseen-fields.ts why none can be seen. These were alike:
  ${tried.join('\n  ')}`

test.each(withKeys(asked))('each field in the body of %s has an effect', async (_, route) => {
  let left = await unseen(route, route.body ? fieldsIn(route.body) : [])
  for (const make of ALSO[route.operationId] ?? [])
    left = await unseen(
      route,
      left.map(({ field }) => field),
      make,
    )
  const { fields = [] } = UNSEEN[route.operationId] ?? {}
  const faults = [
    ...left.filter(({ field }) => !fields.includes(formatPath(field))).map((one) => formatLeft(route, one)),
    ...fields
      .filter((path) => !left.some(({ field }) => formatPath(field) === path))
      .map((path) => `${route.operationId} ${path} is seen: take it out of src/contract/unseen-fields.ts`),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

test('every listed field without a visible effect belongs to an operation, and its test names the field', () => {
  for (const [id, { fields, heldBy }] of Object.entries(UNSEEN)) {
    expect(asked.map(({ operationId }) => operationId)).toContain(id)
    const text = readFileSync(join(import.meta.dir, '../..', heldBy), 'utf8')
    const missing = fields.filter((field) => !new RegExp(`\\b${field.split('.').at(-1)}\\b`).test(text))
    expect([id, heldBy, missing]).toEqual([id, heldBy, []])
  }
})
