import { sealRecord } from '../modules/overview/privacy/kept-records.seal.ts'
import type { Caller } from '../testing/app.ts'
import type { Room } from './seed-room.ts'

/** An image of one pixel is the smallest valid file. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Returns makers of uploads: logos, documents and submissions of them. */
export function paperMakers({ app, firm, ctx, did, post, readId }: Room) {
  // documents are submitted and approved by different colleagues
  const { owner, operator } = firm.as
  const make = {
    /** Makes a signed upload whose bytes have arrived, and returns its key. */
    upload: async (announce: string, body: object, as: Caller = owner): Promise<string> => {
      const upload = await post(announce, { ...body, contentType: 'image/png', fileSize: PNG.byteLength }, as)
      await did(
        app.call('PUT', upload.uploadUrl, { raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } }),
      )
      return upload.key
    },
    logo: async (): Promise<string> => {
      const key = await make.upload('/v1/tenants/current/logo-upload', {})
      await post('/v1/tenants/current/logo-confirm', { key })
      return key
    },
    document: async (traderId: string) => {
      const key = await make.upload('/v1/kyc/documents/upload', { traderId }, operator)
      return readId(post('/v1/kyc/documents/confirm', { key, kind: 'passport', traderId }, operator))
    },
    submission: async (traderId: string) =>
      readId(
        post('/v1/kyc/submissions', { traderId, level: 1, documentIds: [await make.document(traderId)] }, operator),
      ),
    /** Makes the record that an erasure keeps of a client with one document. */
    keptRecord: async (traderId: string): Promise<string> => {
      await make.document(traderId)
      return ctx.writeSteps('trader.erase', (tx) => sealRecord(tx, ctx, traderId, 'documents'))
    },
    approved: (submissionId: string) => post(`/v1/kyc/submissions/${submissionId}/approve`, {}),
  }
  return make
}
