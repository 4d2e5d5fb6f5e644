import type { Caller, Firm, TestApp } from './app.ts'
import { postMoney } from './ledger-desk.ts'

/** A client of a firm with money in a wallet and an account at a trading server. */
type TerminalClient = { traderId: string; accountId: string; walletId: string }

/** Makes a client with 1,000 USD and links a login of the connected trading server to them. */
export async function linkClient(app: TestApp, firm: Firm, login: number, as: Caller = firm.as.admin) {
  const traderId = await firm.trader()
  const place = {
    platform: 'terminal5',
    server: 'Sim-Live',
    accountNumber: String(login),
    currency: 'USD',
    note: 'a test',
  }
  const made = await app.call('POST', '/v1/accounts', { as, body: { traderId, ...place } })
  if (made.status !== 201) throw new Error(made.text)
  await postMoney(app, firm, traderId, { USD: [100_000n] })
  const wallets = await app.call('GET', `/v1/wallets?traderId=${traderId}`, { as: firm.as.admin })
  const client: TerminalClient = { traderId, accountId: made.body.id, walletId: wallets.body.data[0].id }
  return client
}
