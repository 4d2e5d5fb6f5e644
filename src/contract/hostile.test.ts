import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestApp } from '../testing/app.ts'
import { everyRoute, furnished } from './furnished.ts'
import { type Hostile, hostileBodies, hostileHeads, hostileSigned, TEXTS } from './hostile.ts'
import { named, type Route } from './routes.ts'
import { sampleOf } from './samples.ts'
import { fill, type Place } from './world.ts'

const routes = everyRoute()

let app: TestApp
let place: Place
let world: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  world = await furnished()
  app = world.app
  place = world.place
})
afterAll(() => world.close())

/** Milliseconds below which a measurement says nothing. */
const FLOOR = 5
/** Twice the text may cost this much more; a quadratic pattern costs four times. */
const MOST = 2.5
/** Sizes from small to large, so that what grows too fast is found before it takes minutes. */
const SHARES = [1 / 256, 1 / 64, 1 / 16, 1 / 4, 1]
/**
 * The texts that every field gets in full; the others get a quarter of
 * what a megabyte route takes, which shows as much and is over sooner.
 */
const IN_FULL = new Set(['letters and a line end'])
const SMALL_BYTES = 64 * 1024
/** What grows faster than its text shows at a megabyte; `bun run hostile` sends the bulk routes their whole limit. */
const MOST_BYTES = 1024 * 1024

/** Milliseconds of this process's time. */
async function once(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
/** The best of three, without what others left for the collector. */
async function best(run: () => unknown): Promise<number> {
  const costs: number[] = []
  for (let index = 0; index < 3; index += 1) {
    Bun.gc(true)
    costs.push(await once(run))
  }
  return Math.min(...costs)
}

/** Where twice the text costs too much: looked for upwards, and believed only when the best of three says so too. */
async function growth(runOf: (share: number) => () => unknown, most = 1): Promise<string | null> {
  let before = Number.POSITIVE_INFINITY
  for (const share of SHARES.filter((size) => size <= most)) {
    const run = runOf(share)
    const cost = await once(run)
    if (cost > MOST * MOST * Math.max(before, FLOOR / MOST)) {
      const [half, whole] = [await best(runOf(share / 2)), await best(run)]
      if (whole > MOST * Math.max(half, FLOOR)) return `${half.toFixed(1)} → ${whole.toFixed(1)} ms`
    }
    before = cost
  }
  return null
}

async function faultsOf(
  route: Route,
  path: string,
  caller: { headers?: Record<string, string> },
  attacks: readonly Hostile[],
): Promise<string[]> {
  const faults: string[] = []
  for (const attack of attacks) {
    const inFull = route.maxBytes <= SMALL_BYTES || !attack.text || IN_FULL.has(attack.text)
    const grown = await growth(
      (share) => {
        const { path: at = path, raw, headers } = attack.make(share)
        const options = { headers: { ...caller.headers, ...headers }, ...(raw === undefined ? {} : { raw }) }
        return () => app.call(route.method, at, options)
      },
      inFull ? 1 : 1 / 4,
    )
    if (grown) faults.push(`${attack.name}: ${grown}`)
  }
  return faults
}

// Reports are made in a process of their own, and each of a hundred requests waits for one.
const LIMIT = 180_000

describe('twice the text costs at most two and a half times the time', () => {
  test.each(named(routes.filter(({ body }) => body !== undefined)))(
    'the body of %s',
    async (_, route) => {
      const as = await place.make.member('platform_admin')
      const caller = route.role === 'public' ? {} : { headers: { ...as.headers } }
      const { path, body } = await sampleOf(route, place, { as })
      const bounded = { ...route, maxBytes: Math.min(route.maxBytes, MOST_BYTES) }
      expect(await faultsOf(route, path, caller, hostileBodies(bounded, body))).toEqual([])
    },
    LIMIT,
  )

  test.each(named(routes))(
    'query, path and headers of %s',
    async (_, route) => {
      const as = await place.make.member('platform_admin')
      const path = fill(route.path, place.ids)
      const caller = route.role === 'public' ? {} : { headers: { ...as.headers } }
      // every header is read before a route is: where the answer itself is dear, those of the other routes stand for it
      const plain = await once(() => app.call(route.method, path, caller))
      const attacks = hostileHeads(route, path).filter(({ make }) => plain <= FLOOR || !make(1).headers)
      // one look at the largest: 12 KB that cost nothing need no ladder
      const dear: Hostile[] = []
      for (const attack of attacks) {
        const { path: at = path, headers } = attack.make(1)
        const cost = await once(() => app.call(route.method, at, { headers: { ...caller.headers, ...headers } }))
        if (cost > FLOOR) dear.push(attack)
      }
      expect(await faultsOf(route, path, caller, dear)).toEqual([])
    },
    LIMIT,
  )

  const patterns = [...new Set(routes.flatMap(({ body, query, params }) => [...patternsIn([body, query, params])]))]
  test.each(patterns)(
    'the pattern %s, whatever the length',
    async (pattern) => {
      const faults: string[] = []
      for (const [name, text] of Object.entries(TEXTS)) {
        const grown = await growth((share) => {
          const [regex, long] = [new RegExp(pattern, 'u'), text(share * 4 * MOST_BYTES)]
          return () => regex.test(long)
        })
        if (grown) faults.push(`${name}: ${grown}`)
      }
      expect(faults).toEqual([])
    },
    LIMIT,
  )
})

/** What a stranger may cost with one request, of this process’s time, its own making included. */
const MOST_UNPROVEN_MS = 8

test.each(named(routes.filter(({ signature }) => signature !== undefined)))(
  'a wrong signature of %s costs little, whatever it is of',
  async (_, route) => {
    const { path, raw } = await sampleOf(route, place, { as: place.firm.as.owner })
    const dear: string[] = []
    for (const { name, make } of hostileSigned(route, String(raw))) {
      const options = make(1)
      expect((await app.call(route.method, path, options)).status).toBe(401)
      const cost = await best(() => app.call(route.method, path, options))
      if (cost > MOST_UNPROVEN_MS) dear.push(`${name}: ${cost.toFixed(1)} ms`)
    }
    expect(dear).toEqual([])
  },
  LIMIT,
)

function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    if (key === 'pattern' && typeof item === 'string') yield item
    else yield* patternsIn(item)
  }
}
