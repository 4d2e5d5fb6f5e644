import { traders } from '../modules/clients/traders/traders.table.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import type { Answer, Caller, Firm, TestApp } from './app.ts'

/** The smallest valid PNG has one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Returns the steps that give a client the records that the law keeps, for the current app and firm. */
export function createEvidenceDesk(now: () => { app: TestApp; firm: Firm }) {
  const call = async (path: string, as: Caller, body?: object): Promise<Answer['body']> => {
    const answer = await now().app.call('POST', path, { as, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  return {
    /** Settles a deposit, whole or in part. */
    deposited: async (traderId: string, settledAmount?: string): Promise<void> => {
      const { operator, manager } = now().firm.as
      const asked = { traderId, currency: 'EUR', amount: '10', method: 'bank' }
      const { id } = await call('/v1/deposits', operator, asked)
      if (settledAmount === undefined) await call(`/v1/deposits/${id}/settle`, manager)
      else await call(`/v1/admin/deposits/${id}/partial-settle`, manager, { settledAmount, notes: 'a part of it' })
    },
    /** Takes the money of a wallet by an adjustment, so that the client may be deleted. */
    emptied: async (traderId: string, amount: string): Promise<void> => {
      const { manager, owner } = now().firm.as
      const asked = { traderId, currency: 'EUR', direction: 'debit', amount, reason: 'back to the bank' }
      const { id } = await call('/v1/adjustments', manager, asked)
      await call(`/v1/adjustments/${id}/approve`, owner, { note: 'seen' })
    },
    /** Pays out to an account the 10 EUR that were deposited. */
    paidOut: async (traderId: string, destination: object): Promise<string> => {
      const { app, firm } = now()
      await systemCtx(app.platform, firm.tenantId, 'test').write('test.trader', (tx) =>
        tx.update(traders, traderId, { kycLevel: 2 }),
      )
      const asked = { traderId, currency: 'EUR', amount: '10', destination }
      const { id } = await call('/v1/withdrawals', firm.as.operator, asked)
      await call(`/v1/withdrawals/${id}/approve`, firm.as.admin, { note: 'looked at the bank' })
      await call(`/v1/withdrawals/${id}/pay`, firm.as.owner, { paymentReference: `P-${id}` })
      return id
    },
    /** Submits and approves documents, and returns the submission and the key of the bytes. */
    verified: async (traderId: string): Promise<{ submissionId: string; key: string }> => {
      const { app, firm } = now()
      const { operator, manager } = firm.as
      const announced = { traderId, contentType: 'image/png', fileSize: PNG.byteLength }
      const { key, uploadUrl } = await call('/v1/kyc/documents/upload', operator, announced)
      const bytes = new Uint8Array(PNG)
      await app.call('PUT', uploadUrl, { raw: bytes, headers: { 'content-type': 'image/png' } })
      const document = await call('/v1/kyc/documents/confirm', operator, { key, kind: 'passport' })
      const handed = { traderId, level: 1, documentIds: [document.id] }
      const { id } = await call('/v1/kyc/submissions', operator, handed)
      await call(`/v1/kyc/submissions/${id}/approve`, manager, { note: 'face and passport agree' })
      return { submissionId: id, key }
    },
  }
}
