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
  'POST /v1/platforms/connections/:id/import': on(
    async (place) => `/v1/platforms/connections/${await place.make.confirmedTerminal()}/import`,
    { groups: ['real'], dryRun: true },
  ),
  'POST /v1/accounts/open': body(async (place) => ({
    traderId: place.client,
    connectionId: await place.make.openingTerminal(),
    group: 'real',
    leverage: 100,
    currency: 'EUR',
  })),
  'POST /v1/accounts/:id/changes': on(
    async (place) => `/v1/accounts/${await place.make.terminalAccount(place.client)}/changes`,
    { trading: 'off' },
  ),
  'POST /v1/accounts/passwords/reveal': body(async (place) => ({
    token: await place.make.passwordLink(place.client),
  })),
  'POST /v1/platforms/instructions/:id/cancel': on(
    async (place) => `/v1/platforms/instructions/${await place.make.instruction(place.client)}/cancel`,
  ),
  'POST /v1/platforms/findings/close': body(async (place) => ({ ids: [await place.make.finding()], reason: 'seen' })),
}
