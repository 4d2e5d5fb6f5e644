import { body, type Make } from './sample.ts'
import type { Place } from './seed-firm.ts'

/** Makes a client who is in a segment already. */
async function segmented({ app, firm, make }: Place): Promise<string> {
  const id = await make.trader()
  await app.call('PATCH', `/v1/traders/${id}`, { as: firm.as.owner, body: { segments: ['old'], tags: ['old'] } })
  return id
}

export const adminSamples: Readonly<Record<string, Make>> = {
  'POST /v1/admin/impersonate/start': body(async ({ make }) => ({
    traderId: await make.trader(),
    reason: 'They see no balance.',
  })),
  'POST /v1/admin/impersonate/:id/end': async ({ make }) => ({
    path: `/v1/admin/impersonate/${await make.view()}/end`,
  }),
  'POST /v1/users/:id/impersonate': async ({ make }) => ({
    path: `/v1/users/${(await make.member('viewer')).id}/impersonate`,
  }),
  // a second bundle of the same client within an hour is refused
  'GET /v1/admin/traders/:id/pii-export': async ({ make }) => ({
    path: `/v1/admin/traders/${await make.trader()}/pii-export`,
  }),
  'POST /v1/kept-records/:id/open': async ({ make }) => ({
    path: `/v1/kept-records/${await make.keptRecord(await make.trader())}/open`,
    body: { reason: 'The regulator asks for it.' },
  }),
  'POST /v1/admin/traders/merge': body(async ({ make }) => ({
    primaryId: await make.trader(),
    secondaryId: await make.trader(),
  })),
  'POST /v1/admin/traders/bulk-edit': body(async (place) => ({
    ids: [await segmented(place)],
    changes: {
      addSegments: [place.unique('segment')],
      removeSegments: ['old'],
      addTags: [place.unique('tag')],
      removeTags: ['old'],
      riskLevel: 'high',
    },
  })),
  'POST /v1/admin/traders/bulk-segments': body(async (place) => ({
    ids: [await segmented(place)],
    add: [place.unique('segment')],
    remove: ['old'],
  })),
}
