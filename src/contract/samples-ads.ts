import { leadNotification } from '../testing/fakes/graph-api.ts'
import { body, type Make, on } from './sample.ts'

export const adsSamples: Readonly<Record<string, Make>> = {
  'POST /v1/ads/connections': body((place) => ({
    platform: 'social',
    name: 'Spring',
    credentials: place.adCredentials,
    adAccountId: 'act_71',
    pageIds: [place.unique('7101'), place.unique('7102')],
    pixelId: '72',
    datasetId: '73',
  })),
  'PATCH /v1/ads/connections/:id': on(async (place) => `/v1/ads/connections/${(await place.make.adConnection()).id}`, {
    name: 'Autumn',
    status: 'active',
  }),
  'DELETE /v1/ads/connections/:id': on(async (place) => `/v1/ads/connections/${(await place.make.adConnection()).id}`),
  'POST /v1/ads/connections/:id/test': on(
    async (place) => `/v1/ads/connections/${(await place.make.adConnection()).id}/test`,
  ),
  'POST /v1/ads/meta/leads/backfill': body(async (place) => ({
    connectionId: (await place.make.adConnection()).id,
    formId: '74',
    since: new Date(place.app.clock.now() - 86_400_000).toISOString(),
  })),
  'GET /v1/ads/meta/webhook': (place) => ({
    path: `/v1/ads/meta/webhook?hub.mode=subscribe&hub.verify_token=${place.adCredentials.verifyToken}&hub.challenge=1158201444`,
  }),
  'POST /v1/ads/meta/webhook': async (place) => {
    const { page } = await place.make.adConnection()
    const notification = leadNotification(place.adCredentials.appSecret, [
      { page, lead: place.unique('75').replace(/\D/g, '') },
    ])
    return { path: '/v1/ads/meta/webhook', ...notification }
  },
}
