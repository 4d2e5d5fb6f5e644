import type { Answer } from '../testing/app.ts'
import type { Route } from './routes.ts'
import type { Make, Sample } from './sample.ts'
import { adminSamples } from './samples-admin.ts'
import { adsSamples } from './samples-ads.ts'
import { affiliateSamples } from './samples-affiliates.ts'
import { foundationSamples } from './samples-foundation.ts'
import { importSamples } from './samples-imports.ts'
import { moneySamples } from './samples-money.ts'
import { reportSamples } from './samples-reports.ts'
import { terminalSamples } from './samples-terminals.ts'
import { type Acting, fill, type Place } from './seed-firm.ts'

/**
 * One successful request for every operation that changes something, and for each read that needs a query. Every sweep
 * of this folder starts from it: a new operation needs a line in a `samples-….ts`, and fails the sweeps until it has
 * one.
 */
const samples: Readonly<Record<string, Make>> = {
  ...foundationSamples,
  ...moneySamples,
  ...importSamples,
  ...affiliateSamples,
  ...adsSamples,
  ...terminalSamples,
  ...reportSamples,
  ...adminSamples,
}

/** Returns the request of a route that must succeed; throws if a route that changes something has no sample. */
export async function buildSample(
  route: Route,
  place: Place,
  acting: Acting,
  make: Make | undefined = samples[route.key],
): Promise<Sample> {
  if (!make) {
    const required: unknown = route.query?.required
    if (route.mutates || (Array.isArray(required) && required.length > 0)) {
      throw new Error(`${route.key} has no sample: add it to src/contract/samples.ts`)
    }
    return { path: fill(route.path, place.ids) }
  }
  const sample = await make(place, acting)
  const path = sample.path === '' ? fill(route.path, place.ids) : sample.path
  // an operation without a body gets none
  if (!route.body && sample.raw === undefined) return { ...sample, path, body: undefined }
  return { ...sample, path }
}

export const send = (
  route: Route,
  place: Place,
  { path, body, raw, headers }: Sample,
  acting: Partial<Acting> = {},
): Promise<Answer> =>
  place.app.call(route.method, path, {
    ...(acting.as ? { as: acting.as } : {}),
    ...(body === undefined ? {} : { body }),
    ...(raw === undefined ? {} : { raw }),
    ...(headers === undefined ? {} : { headers }),
  })
