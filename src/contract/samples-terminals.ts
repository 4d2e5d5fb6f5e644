import { TERMINAL } from './makers-terminals.ts'
import { body, type Make, on } from './sample.ts'
import type { Place } from './seed-firm.ts'

const path = async (place: Place, rest = ''): Promise<string> =>
  `/v1/platforms/connections/${await place.make.terminalConnection()}${rest}`

export const terminalSamples: Readonly<Record<string, Make>> = {
  'POST /v1/platforms/connections': body(async (place) => {
    await place.make.terminalRoom()
    return {
      ...TERMINAL,
      server: place.unique('server'),
      since: '2026-01-01T00:00:00Z',
      readEvery: { deals: 20, positions: 60, accounts: 120, prices: 600 },
      requestsPerSecond: 4,
    }
  }),
  'PATCH /v1/platforms/connections/:id': on((place) => path(place), {
    name: 'Live, London',
    paused: true,
    readEvery: { deals: 20, positions: 60, accounts: 120, prices: 600 },
  }),
  'DELETE /v1/platforms/connections/:id': on((place) => path(place)),
  'POST /v1/platforms/connections/:id/test': on((place) => path(place, '/test'), {}),
  'POST /v1/platforms/connections/:id/confirm': on((place) => path(place, '/confirm'), { version: 1 }),
  'POST /v1/platforms/findings/close': body(async (place) => ({ ids: [await place.make.finding()], reason: 'seen' })),
}
