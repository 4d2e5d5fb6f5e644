import type { Explanation } from '../modules/clients/sanctions/matcher.ts'
import { sanctionsHits } from '../modules/clients/sanctions/sanctions.table.ts'
import { users } from '../modules/firm/users/users.table.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Caller, Firm, TestApp } from './app.ts'

/** Returns the repeated steps of withdrawal tests, for the current app and firm. */
export function createDesk(now: () => { app: TestApp; firm: Firm }) {
  let account = 0
  const behind = <R>(run: (tx: Tx) => R extends Promise<unknown> ? never : R) =>
    systemCtx(now().app.platform, now().firm.tenantId, 'test').write('test.write', run)
  return {
    /** Keeps only these people in the firm, and disables the others. */
    onlyThese: (...keep: Caller[]) =>
      behind((tx) => {
        for (const { id } of tx.list(users, {}))
          if (!keep.some((one) => one.id === id)) tx.update(users, id, { status: 'disabled' })
        return null
      }),
    /** Makes a match of a client with a sanctions list, to be decided. */
    hitOn: (traderId: string) =>
      behind((tx) => {
        const explanation: Explanation = {
          listedAs: 'X',
          nameScore: 99,
          words: [],
          birth: 'unknown',
          country: 'unknown',
        }
        const hit = { traderId, source: 'un', reference: 'R1', name: 'X', score: 99, listHash: 'h' } as const
        return tx.insert(sanctionsHits, { ...hit, explanation }).id
      }),
    /** Decides a match as a manager. */
    onHit: (as: Caller, hit: string, what: 'clear' | 'confirm') =>
      now().app.call('POST', `/v1/sanctions/hits/${hit}/${what}`, { as, body: { reason: 'looked' } }),
    /** Makes a verified trader with money in EUR. */
    client: async (amount = '50000', kycLevel = 2): Promise<string> => {
      const { app, firm } = now()
      const traderId = await firm.trader({ kycLevel })
      const deposit = await app.call('POST', '/v1/deposits', {
        as: firm.as.operator,
        body: { traderId, currency: 'EUR', amount, method: 'bank' },
      })
      await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as: firm.as.manager })
      firm.effects()
      return traderId
    },
    /** Requests EUR to a new bank account. */
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
