import { body, type Make } from './sample.ts'

/** Samples of the operations on many clients, of views, merges and privacy bundles. */
export const adminSamples: Readonly<Record<string, Make>> = {
  'POST /v1/admin/traders/bulk-edit': body(async ({ make, unique }) => ({
    ids: [await make.trader()],
    changes: { addSegments: [unique('segment')], riskLevel: 'high' },
  })),
  'POST /v1/admin/traders/bulk-segments': body(async ({ make, unique }) => ({
    ids: [await make.trader()],
    add: [unique('segment')],
  })),
}
