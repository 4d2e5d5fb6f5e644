import type { Caller, Firm, TestApp } from './app.ts'

/** What tests of money out do again and again, for the app and firm of the moment. */
export function createDesk(now: () => { app: TestApp; firm: Firm }) {
  let account = 0
  return {
    /** A verified trader with money in EUR. */
    client: async (amount = '50000'): Promise<string> => {
      const { app, firm } = now()
      const traderId = await firm.trader({ kycLevel: 2 })
      const deposit = await app.call('POST', '/v1/deposits', {
        as: firm.as.operator,
        body: { traderId, currency: 'EUR', amount, method: 'bank' },
      })
      await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as: firm.as.manager })
      firm.effects()
      return traderId
    },
    /** Asks for EUR to a bank account that nobody asked for before. */
    ask: (traderId: string, amount: string, as: Caller = now().firm.as.operator, extra: object = {}) => {
      account += 1
      const destination = { kind: 'bank', reference: `CY17 0020 ${account}` }
      return now().app.call('POST', '/v1/withdrawals', {
        as,
        body: { traderId, currency: 'EUR', amount, destination, ...extra },
      })
    },
    /** Approves, pays, rejects or cancels. */
    act: (id: string, what: string, as: Caller, body: object = what === 'approve' ? { note: 'looked' } : {}) =>
      now().app.call('POST', `/v1/withdrawals/${id}/${what}`, { as, body }),
  }
}
