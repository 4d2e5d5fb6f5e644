import { makeWorkbook } from '../testing/workbook.ts'
import { body, type Make, on } from './sample.ts'
import type { Place } from './seed-firm.ts'

const part = (of: unknown, key: string): string => String(typeof of === 'object' && of !== null && Reflect.get(of, key))
/** Makes an account that has money to take. */
async function fundedAccount({ app, firm, make, client }: Place): Promise<string> {
  const id = await make.account(client)
  await app.call('PATCH', `/v1/accounts/${id}`, { as: firm.as.owner, body: { balance: '5', equity: '5' } })
  return id
}
/** Makes a second wallet of the client, and the rate to and from its currency. */
const dollarWallet = async ({ app, firm, make, client }: Place): Promise<string> => {
  const rates = [{ base: 'EUR', quote: 'USD', rate: '1.1' }]
  await app.call('POST', '/v1/fx/rates/upsert', { as: firm.as.owner, body: { rates } })
  return make.findWallet(client, 'USD')
}

/** Makes another valid value for fields that need a meaningful one, by operation and path, or by name alone. */
export const MEANT: Readonly<Record<string, (place: Place, body: unknown) => unknown>> = {
  traderId: ({ make }) => make.client(),
  primaryId: ({ make }) => make.trader(),
  secondaryId: ({ make }) => make.trader(),
  assignedTo: ({ firm }) => firm.as.manager.id,
  affiliateId: ({ make }) => make.affiliate(),
  connectionId: async ({ make }) => (await make.adConnection()).id,
  depositId: ({ make, client }) => make.deposit(client),
  fromWalletId: dollarWallet,
  toWalletId: dollarWallet,
  fromAccountId: fundedAccount,
  toAccountId: ({ make, client }) => make.account(client),
  phone: ({ unique }) => `+357221${unique('').replace(/\D/g, '').padStart(5, '0').slice(-5)}`,
  timeZone: () => 'Asia/Tokyo',
  contentType: () => 'image/jpeg',
  allowedNetworks: () => ['10.0.0.0/8'],
  filters: () => ({ status: 'settled' }),
  widths: () => ({ amount: 150 }),
  url: ({ receiver, unique }) => `${receiver}?${unique()}`,
  logoUrl: async ({ make }) => `/v1/files/${await make.logo()}`,
  affiliateCode: async ({ app, firm, make }) =>
    (await app.call('GET', `/v1/affiliates/${await make.affiliate()}`, { as: firm.as.owner })).body.code,
  sql: () => 'SELECT count(*) AS clients FROM traders',
  platform: () => 'terminal4',
  csv: ({ email }, now) => part(now, 'csv').replace(/\n[^,]*(.*)/, `$&\n${email()}$1`),
  'system.setBoxes boxes[].url': () => 'http://127.0.0.1:2',
  'tenants.logoConfirm key': ({ make }) => make.upload('/v1/tenants/current/logo-upload', {}),
  'tenants.updateCurrent platforms': () => ['terminal4', 'terminal5', 'terminal6'],
  'traders.import mapping': () => ({ mail: 'email', money: 'externalId', coin: 'currency' }),
  'workbooks.read sheet': () => 'Clients',
  'workbooks.read content': async () => (await makeWorkbook({ Other: [['Cy']] })).toBase64(),
  'leads.import mapping': () => ({ mail: 'email', name: 'lastName' }),
  'payouts.create affiliateId': async ({ make, client }) => {
    const id = await make.affiliate()
    await make.commission(id, client)
    return id
  },
  'kyc.submissions.create documentIds': async ({ make }, now) => [await make.document(part(now, 'traderId'))],
  'commissionPlans.calculate trade.currency': async ({ make }) => {
    // the conversion needs a rate
    await make.rate()
    return 'PLN'
  },
  'sanctions.lists.load content': (_, now) =>
    part(now, 'content').replace(/<INDIVIDUAL>.*<\/INDIVIDUAL>/s, (one) => one + one.replace('T.1', 'T.2')),
}

/** Makes a calculation by one rule, with two levels above the client whose plans pay more per lot. */
const calculated = (rule: object): Make =>
  body(async ({ make }) => ({
    currency: 'EUR',
    override: 'difference',
    maxLevels: 3,
    cap: '0.9',
    rules: [rule],
    trade: { symbol: 'EURUSD', lots: '1', currency: 'EUR', spread: '24.00', commission: '-1.00', swap: '5.00' },
    above: [await make.plan(), await make.plan()],
  }))

/** Further requests of an operation, for fields without an effect in its first sample. */
export const ALSO: Readonly<Record<string, readonly Make[]>> = {
  'traders.create': [
    body(async ({ make, email, ib }) => ({ email: email(), visitorId: await make.visitor(ib.affiliate) })),
  ],
  'leads.create': [
    body(async ({ make, email, ib }) => ({
      email: email(),
      source: 'fair',
      visitorId: await make.visitor(ib.affiliate),
    })),
  ],
  'users.invite': [
    body(({ email, unique }) => ({
      email: email(),
      displayName: unique('New'),
      roles: ['viewer'],
      password: unique('a long password'),
      sendInviteLink: false,
    })),
  ],
  'tenants.update': [
    async ({ app, firm, unique }) => {
      const owner = { email: 'a@b.test', displayName: 'A', password: unique('a long password') }
      const other = { name: 'Other', slug: unique('other'), owner }
      const { body: tenant } = await app.call('POST', '/v1/tenants', { as: firm.as.platform_admin, body: other })
      return { path: `/v1/tenants/${tenant.id}`, body: { status: 'active' } }
    },
  ],
  'webhooks.subscriptions.recover': [
    on(async ({ make }) => `/v1/webhooks/subscriptions/${await make.subscription()}/recover`, {
      since: '2026-01-14T00:00:00Z',
    }),
  ],
  'savedViews.create': [
    body(({ unique }) => {
      const look = { hidden: [], order: [], widths: {}, dense: true }
      return { list: 'deposits', name: unique('All'), filters: {}, look, shared: false, isDefault: false }
    }),
  ],
  'transfers.create': [
    body(async (place) => ({
      fromAccountId: await fundedAccount(place),
      toWalletId: await place.make.findWallet(place.client, 'EUR'),
      amount: '1',
    })),
  ],
  'transfers.acknowledge': [
    on(async ({ make, client }) => `/v1/transfers/${await make.sentTransfer(client)}/acknowledge`, {
      state: 'booked',
      reason: 'late',
    }),
  ],
  'commissionPlans.calculate': [
    calculated({ model: 'lot', symbols: ['*'], rate: '3.00' }),
    calculated({ model: 'spread', symbols: ['*'], rate: '0.95', from: '2026-01-01T00:00:00Z' }),
  ],
}

/** Returns the path at which the effect of an operation is read, if its own path does not show it. */
export const SHOWN_AT: Readonly<Record<string, (body: unknown) => string>> = {
  'traders.bulkEdit': (sent) => `/v1/traders/${part(sent, 'ids')}`,
  'traders.bulkSegments': (sent) => `/v1/traders/${part(sent, 'ids')}`,
  'accounts.sync': () => '/v1/accounts?limit=1&sort=-createdAt',
  'positions.sync': () => '/v1/positions?limit=1&sort=-createdAt',
  'sanctions.lists.load': () => '/v1/sanctions/lists',
  'users.invite': (sent) => `/v1/mails?recipient=${part(sent, 'email')}`,
}

/** Maps a field to the name under which its effect appears, if the names differ. */
export const SHOWN_AS: Readonly<Record<string, string>> = { 'commissionPlans.calculate trade.currency': 'amount' }
