import { SECOND } from '../platform/clock.ts'
import type { Answer, Caller, Firm, TestApp } from './app.ts'

type Now = { app: TestApp; firm: Firm; bridge: Caller }

/** Returns the repeated steps of tests of trading accounts, for the current app, firm and honest bridge. */
export function createAccountDesk(now: () => Now) {
  let reporting: Firm | undefined
  let sequence = 0
  const call = (as: Caller, method: string, path: string, body?: object) => {
    const { app } = now()
    app.clock.advance(SECOND)
    return app.call(method, path, body === undefined ? { as } : { as, body })
  }
  /** Makes a verified trader with money. */
  const client = async (amount: string, currency = 'EUR'): Promise<string> => {
    const { firm } = now()
    const traderId = await firm.trader({ kycLevel: 2 })
    const deposit = { traderId, currency, amount, method: 'bank' }
    const { body } = await call(firm.as.operator, 'POST', '/v1/deposits', deposit)
    await call(firm.as.owner, 'POST', `/v1/deposits/${body.id}/settle`)
    return traderId
  }
  const readWallet = async (traderId: string, currency = 'EUR') =>
    (await call(now().firm.as.viewer, 'GET', `/v1/wallets?traderId=${traderId}&currency=${currency}`)).body.data[0]
  const open = (as: Caller, traderId: string, accountNumber: string, extra: object = {}) =>
    call(as, 'POST', '/v1/accounts', { traderId, platform: 'terminal5', currency: 'EUR', accountNumber, ...extra })
  const patch = (as: Caller, id: string, body: object) => call(as, 'PATCH', `/v1/accounts/${id}`, body)
  const remove = (as: Caller, id: string) => call(as, 'DELETE', `/v1/accounts/${id}`)
  const move = (as: Caller, body: object) => call(as, 'POST', '/v1/transfers', body)
  const home = async (as: Caller, accountId: string, traderId: string, amount: string) =>
    move(as, { fromAccountId: accountId, toWalletId: (await readWallet(traderId)).id, amount })
  const fund = async (as: Caller, accountId: string, traderId: string, amount: string) =>
    move(as, { fromWalletId: (await readWallet(traderId)).id, toAccountId: accountId, amount })
  const say = (as: Caller, id: string, state: 'booked' | 'refused') =>
    call(as, 'POST', `/v1/transfers/${id}/acknowledge`, { state, reason: 'x' })
  /** Sends the platform's report, with the key of its bridge unless `as` names another sender. */
  const report = (accountNumber: string, balance: string, { as, at }: { as?: Caller; at?: number } = {}) => {
    const { firm, bridge } = now()
    if (reporting !== firm) sequence = 0
    reporting = firm
    const number = at ?? sequence + 1
    sequence = Math.max(sequence, number)
    const accounts = accountNumber === '' ? [] : [{ accountNumber, balance, equity: balance }]
    return call(as ?? bridge, 'POST', '/v1/accounts/sync', {
      platform: 'terminal5',
      server: 's',
      sequence: number,
      accounts,
    })
  }
  const acknowledges = (platformAcknowledges: boolean, as: Caller = now().firm.as.owner) =>
    call(as, 'PATCH', '/v1/tenants/current', { platformAcknowledges })
  const answer = ({ status, body }: Answer) => [status, body?.code]
  return { call, client, readWallet, open, patch, remove, move, home, fund, say, report, acknowledges, answer }
}
