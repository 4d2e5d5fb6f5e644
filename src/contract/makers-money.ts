import { transfers } from '../modules/books/transfers/transfers.table.ts'
import { signGatewayCallback } from '../testing/fakes/gateway.ts'
import type { Room } from './seed-room.ts'

export const GATEWAY_SECRET = 'the secret of a gateway'

/** Returns makers of clients and of movements of their money. */
export function moneyMakers({ app, firm, ctx, unique, email, did, post, readId }: Room) {
  const { owner, operator, manager } = firm.as
  const make = {
    trader: () => readId(post('/v1/traders', { email: email(), firstName: 'Ada', lastName: unique('Name') })),
    /** Makes a verified trader with money in EUR and USD. */
    client: async () => {
      const traderId = await make.trader()
      await ctx.write('test.verify', (tx) =>
        tx.execute('UPDATE traders SET kyc_level = 2 WHERE tenant_id = ?1 AND id = ?2', [traderId]),
      )
      for (const currency of ['EUR', 'USD']) {
        const id = await make.deposit(traderId, '100000', currency)
        await post(`/v1/deposits/${id}/settle`)
      }
      return traderId
    },
    findWallet: async (traderId: string, currency = 'EUR'): Promise<string> =>
      (await did(app.call('GET', `/v1/wallets?traderId=${traderId}&currency=${currency}`, { as: owner }))).data[0].id,
    account: (traderId: string) =>
      readId(post('/v1/accounts', { traderId, platform: 'terminal5', currency: 'EUR', accountNumber: unique('9') })),
    /** Returns the number of a new account. */
    accountNumber: async (traderId: string): Promise<string> =>
      (await did(app.call('GET', `/v1/accounts/${await make.account(traderId)}`, { as: owner }))).accountNumber,
    deposit: (traderId: string, amount = '100', currency = 'EUR', extra: object = {}) =>
      readId(post('/v1/deposits', { traderId, currency, amount, method: 'bank', ...extra }, operator)),
    /** Marks all clients as screened against the loaded lists, as the job does, since no money leaves before. */
    screened: () =>
      ctx.write('test.screened', (tx) => {
        tx.execute(`UPDATE sanctions_lists SET status = 'screened' WHERE tenant_id = ?1 AND status = 'screening'`)
        tx.execute('DELETE FROM sanctions_due WHERE tenant_id = ?1')
        return null
      }),
    withdrawal: async (traderId: string) => {
      await make.screened()
      const destination = { kind: 'bank', reference: unique('IBAN') }
      return readId(post('/v1/withdrawals', { traderId, currency: 'EUR', amount: '10', destination }, operator))
    },
    adjustment: (traderId: string) =>
      readId(
        post(
          '/v1/adjustments',
          { traderId, currency: 'EUR', direction: 'credit', amount: '1', reason: 'test' },
          manager,
        ),
      ),
    /** Makes a transfer to an account that waits for the platform's report. */
    sentTransfer: async (traderId: string) => {
      const body = {
        fromWalletId: await make.findWallet(traderId),
        toAccountId: await make.account(traderId),
        amount: '1',
      }
      const id = await readId(post('/v1/transfers', body, operator))
      await ctx.write('test.sent', (tx) => tx.update(transfers, id, { state: 'sent' }).id)
      return id
    },
  }
  return make
}

type MoneyMakers = ReturnType<typeof moneyMakers>

/** Returns makers of gateways and of their reports about deposits of a client. */
export function gatewayMakers(
  { app, firm, unique, did, post, readId }: Room,
  client: string,
  deposit: MoneyMakers['deposit'],
) {
  const { manager } = firm.as
  const make = {
    gateway: () =>
      readId(post('/v1/psp/connections', { name: unique('gate'), kind: 'generic', secret: GATEWAY_SECRET })),
    /** Makes a report of a gateway that contradicts the books. */
    exception: async () => {
      const pspConnectionId = await make.gateway()
      const id = await deposit(client, '50', 'EUR', { pspConnectionId })
      const { body: raw, headers } = make.callback(id)
      await app.call('POST', `/v1/psp/${pspConnectionId}/callback`, { raw, headers })
      const { data } = await did(app.call('GET', `/v1/psp/exceptions?depositId=${id}`, { as: manager }))
      return String(data[0].id)
    },
    callback: (depositId: string) =>
      signGatewayCallback(GATEWAY_SECRET, {
        reference: unique('ref'),
        depositId,
        status: 'success' as const,
        amount: '100.00',
        currency: 'EUR',
      }),
  }
  return make
}
