import { post, walletFor } from '../modules/books/wallets/ledger.service.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import type { Firm, TestApp } from './app.ts'

/** Posts money of a client in several currencies, without the rows that would cause it: minor units by currency. */
export const postMoney = (
  { platform }: TestApp,
  { tenantId }: Firm,
  traderId: string,
  money: Readonly<Record<string, readonly bigint[]>>,
): Promise<unknown> =>
  systemCtx(platform, tenantId, 'test').write('test.money', (tx) => {
    for (const [currency, amounts] of Object.entries(money)) {
      const wallet = walletFor(tx, traderId, currency)
      for (const amount of amounts)
        post(tx, {
          kind: 'test',
          reference: platform.ids.next('ref'),
          description: 'test',
          legs: [
            { account: 'gateway_clearing', currency, amount: -amount },
            { account: 'client_available', wallet, currency, amount },
          ],
        })
    }
    return null
  })
