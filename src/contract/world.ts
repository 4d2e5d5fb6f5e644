import { mkdirSync, writeFileSync } from 'node:fs'
import { TOTP } from 'otpauth'
import { affiliates } from '../modules/affiliates/affiliates.table.ts'
import { hashPassword } from '../modules/auth/auth.passwords.ts'
import { credentials, oneTimeLinks, sessions } from '../modules/auth/auth.table.ts'
import { snapshotPath, snapshotsDirectory } from '../modules/backups/backups.places.ts'
import { affiliateBalances, commissionLines, commissionRuns } from '../modules/commissions/commissions.table.ts'
import { commissionPlanVersions } from '../modules/commissions/plans.table.ts'
import { accountActs } from '../modules/independence/independence.table.ts'
import type { Explanation } from '../modules/sanctions/matcher.ts'
import { sanctionsHits } from '../modules/sanctions/sanctions.table.ts'
import { transfers } from '../modules/transfers/transfers.table.ts'
import { users } from '../modules/users/users.table.ts'
import { mintApiKey } from '../platform/access/api-key.ts'
import type { Role, Scope } from '../platform/access/catalogue.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import type { Clock } from '../platform/clock.ts'
import { randomToken } from '../platform/ids.ts'
import { sha256Hex } from '../platform/secrets.ts'
import type { Answer, Caller, Firm, TestApp } from '../testing/app.ts'
import { signGatewayCallback } from '../testing/fakes/gateway.ts'
import { PNG } from './pixel.ts'
import { importOf } from './samples-imports.ts'

export const PASSWORD = 'correct horse battery'
export const GATEWAY_SECRET = 'the secret of a gateway'
export const AD_CREDENTIALS = {
  accessToken: 'EAAB-the-access-token-of-the-tests-0001',
  appSecret: 'the-app-secret-of-the-tests-0002',
  verifyToken: 'the-verify-token-of-the-tests-0003',
}

let passwordHash: Promise<string> | undefined

/** What is furnished: the application of most tests, or a server that runs. */
type World = Pick<TestApp, 'platform' | 'call'> & { clock: Clock }

/** A furnished firm: rows of every kind, and makers of fresh ones for operations that use a row up. */
export type Place = Awaited<ReturnType<typeof furnish<TestApp>>>

const SNAPSHOT = '20260101-020000-nightly'

/** A caller with the trader they are, where they are one. */
export type Acting = { as: Caller; trader?: string }

/**
 * Fills a firm with a row of every kind, through the API where
 * it has a way. `receiver` is an address that takes webhooks.
 */
export async function furnish<App extends World>(app: App, firm: Firm, receiver: string) {
  const { platform } = app
  const ctx = systemCtx(platform, firm.tenantId, 'test')
  const { owner, operator, manager } = firm.as
  passwordHash ??= hashPassword(PASSWORD)
  // what its download hands out is the file, whatever is in it
  mkdirSync(snapshotsDirectory(platform.config.dataDir), { recursive: true })
  writeFileSync(snapshotPath(platform.config.dataDir, SNAPSHOT), 'a snapshot')
  const hash = await passwordHash
  let serial = 0
  const unique = (word = 'x'): string => {
    serial += 1
    return `${word}${serial}-${firm.slug}`
  }
  const email = (): string => `${unique('mail')}@${firm.slug}.test`

  const did = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer
    if (status >= 300) throw new Error(`the furniture of ${firm.slug} broke: ${status} ${text}`)
    return body
  }
  const post = (path: string, body?: object, as: Caller = owner) =>
    did(app.call('POST', path, body === undefined ? { as } : { as, body }))
  const idOf = async (answer: Promise<{ id: unknown }>): Promise<string> => String((await answer).id)

  const make = {
    trader: () => idOf(post('/v1/traders', { email: email(), firstName: 'Ada', lastName: unique('Name') })),
    /** A verified trader with money in EUR and USD. */
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
    walletOf: async (traderId: string, currency = 'EUR'): Promise<string> =>
      (await did(app.call('GET', `/v1/wallets?traderId=${traderId}&currency=${currency}`, { as: owner }))).data[0].id,
    account: (traderId: string) =>
      idOf(post('/v1/accounts', { traderId, platform: 'terminal5', currency: 'EUR', accountNumber: unique('9') })),
    deposit: (traderId: string, amount = '100', currency = 'EUR', extra: object = {}) =>
      idOf(post('/v1/deposits', { traderId, currency, amount, method: 'bank', ...extra }, operator)),
    /** As if the job had compared everybody with the lists that samples loaded; no money leaves before. */
    screened: () =>
      ctx.write('test.screened', (tx) => {
        tx.execute(`UPDATE sanctions_lists SET status = 'screened' WHERE tenant_id = ?1 AND status = 'screening'`)
        tx.execute('DELETE FROM sanctions_due WHERE tenant_id = ?1')
        return null
      }),
    withdrawal: async (traderId: string) => {
      await make.screened()
      const destination = { kind: 'bank', reference: unique('IBAN') }
      return idOf(post('/v1/withdrawals', { traderId, currency: 'EUR', amount: '10', destination }, operator))
    },
    adjustment: (traderId: string) =>
      idOf(
        post(
          '/v1/adjustments',
          { traderId, currency: 'EUR', direction: 'credit', amount: '1', reason: 'test' },
          manager,
        ),
      ),
    rate: async () => {
      const { data } = await post('/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'PLN', rate: '4.3' }] })
      return String(data.find((rate: { quote: string }) => rate.quote === 'PLN').id)
    },
    /** A signed upload whose bytes have arrived; answers its key. */
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
      const key = await make.upload('/v1/kyc/documents/upload', { traderId })
      return idOf(post('/v1/kyc/documents/confirm', { key, kind: 'passport', traderId }))
    },
    submission: async (traderId: string) =>
      idOf(post('/v1/kyc/submissions', { traderId, level: 1, documentIds: [await make.document(traderId)] })),
    approved: (submissionId: string) => post(`/v1/kyc/submissions/${submissionId}/approve`, {}),
    hit: async (traderId: string) => {
      const explanation: Explanation = { listedAs: 'X', nameScore: 90, words: [], birth: 'unknown', country: 'unknown' }
      const facts = { traderId, source: 'un', name: 'X', score: 90, listHash: 'h', explanation } as const
      return (await ctx.write('sanctions.hit', (tx) => tx.insert(sanctionsHits, { ...facts, reference: unique('R') })))
        .id
    },
    lead: () => idOf(post('/v1/leads', { email: email(), firstName: 'Lea', source: 'fair' })),
    ticket: (traderId: string) => idOf(post('/v1/support/tickets', { traderId, subject: 'Help', body: 'It broke.' })),
    position: async (accountNumber: string) => {
      const at = {
        ticket: unique('t'),
        accountNumber,
        symbol: 'EURUSD',
        side: 'long',
        volume: '0.10',
        openPrice: '1.1',
      }
      const position = { ...at, currentPrice: '1.2', profit: '10', openedAt: '2026-01-10T09:00:00Z' }
      serial += 1
      const head = { platform: 'terminal5', server: unique('s'), sequence: serial, mode: 'delta' }
      await post('/v1/positions/sync', { ...head, positions: [position] })
      const { data } = await did(app.call('GET', '/v1/positions?limit=200', { as: owner }))
      return String(data.find((row: { ticket: string }) => row.ticket === at.ticket).id)
    },
    gateway: () => idOf(post('/v1/psp/connections', { name: unique('gate'), kind: 'generic', secret: GATEWAY_SECRET })),
    /** A connection to an ad platform, and a page of its own. */
    adConnection: async () => {
      serial += 1
      const page = `${Number.parseInt(firm.slug, 36) % 1e6}${serial}`
      const body = { platform: 'social', name: unique('ads'), credentials: AD_CREDENTIALS, pageIds: [page] }
      return { id: await idOf(post('/v1/ads/connections', body)), page }
    },
    /** A colleague with a second factor whose account somebody else set up. */
    colleague: async () => {
      const { id } = await make.member('manager')
      await ctx.write('test.colleague', (tx) => {
        const credential = tx.find(credentials, { userId: id })
        if (credential) tx.update(credentials, credential.id, { totpEnabled: true, totpEnabledAt: tx.now })
        return tx.insert(accountActs, { userId: id, byUserId: firm.as.platform_admin.id, act: 'invited' }).id
      })
      return id
    },
    /** A transfer to an account that waits for the platform's word. */
    sentTransfer: async (traderId: string) => {
      const body = {
        fromWalletId: await make.walletOf(traderId),
        toAccountId: await make.account(traderId),
        amount: '1',
      }
      const id = await idOf(post('/v1/transfers', body, operator))
      await ctx.write('test.sent', (tx) => tx.update(transfers, id, { state: 'sent' }).id)
      return id
    },
    /** A word of a gateway that contradicts the books. */
    exception: async () => {
      const pspConnectionId = await make.gateway()
      const id = await make.deposit(client, '50', 'EUR', { pspConnectionId })
      const { body: raw, headers } = make.callback(id)
      await app.call('POST', `/v1/psp/${pspConnectionId}/callback`, { raw, headers })
      const { data } = await did(app.call('GET', `/v1/psp/exceptions?depositId=${id}`, { as: manager }))
      return String(data[0].id)
    },
    subscription: () => idOf(post('/v1/webhooks/subscriptions', { url: receiver, events: ['trader.created'] })),
    /** A finished delivery of a subscription. */
    delivery: (subscriptionId: string) => idOf(post(`/v1/webhooks/subscriptions/${subscriptionId}/test`)),
    plan: () =>
      idOf(
        post('/v1/commission-plans', {
          ...{ name: unique('plan'), currency: 'EUR', override: 'difference', maxLevels: 3, cap: '0.9' },
          rules: [{ model: 'lot', symbols: ['*'], rate: '5.00' }],
        }),
      ),
    /** An affiliate that is active, of a client of its own where none is named. */
    affiliate: async (traderId?: string, parentId: string | null = null) => {
      const planId = await make.plan()
      const body = { traderId: traderId ?? (await make.trader()), code: unique('code'), parentId }
      const id = await idOf(post('/v1/affiliates', body, operator))
      await did(app.call('PATCH', `/v1/affiliates/${id}`, { as: manager, body: { planId, status: 'active' } }))
      return id
    },
    /** Something earned in a closed run; answers the line's id. */
    commission: (affiliateId: string, traderId: string) =>
      ctx.write('test.commission', (tx) => {
        const { planId } = tx.get(affiliates, affiliateId)
        const version = tx.find(commissionPlanVersions, { planId: planId ?? '' })
        const days = { fromDay: '2026-01-01', toDay: '2026-01-02', fromAt: 0, toAt: 1, snapshotAt: 0 }
        const run = tx.insert(commissionRuns, { ...days, dryRun: false, status: 'closed' })
        const known = tx.find(affiliateBalances, { affiliateId, currency: 'EUR' })
        const balance = known ?? tx.insert(affiliateBalances, { affiliateId, currency: 'EUR' })
        tx.update(affiliateBalances, balance.id, { earned: balance.earned + 100_000n })
        return tx.insert(commissionLines, {
          ...{ runId: run.id, affiliateId, traderId, level: 1, model: 'lot', sourceType: 'trade', currency: 'EUR' },
          ...{ source: `trade:${unique('pos')}`, symbol: 'EURUSD', lots: 100_000_000n, occurredAt: tx.now },
          ...{ planVersionId: version?.id ?? '', amount: 100_000n, detail: { rate: '5' } },
        }).id
      }),
    payout: async (affiliateId?: string) => {
      const id = affiliateId ?? (await make.affiliate())
      await make.commission(id, client)
      return idOf(post('/v1/affiliates/payouts', { affiliateId: id, currency: 'EUR', amount: '60' }, manager))
    },
    invited: () => idOf(post('/v1/users/invite', { email: email(), displayName: 'Invited', roles: ['viewer'] })),
    /** A view as a client that is going on. */
    view: async () => idOf(post('/v1/admin/impersonate/start', { traderId: await make.trader(), reason: 'a test' })),
    note: (traderId: string) => idOf(post(`/v1/traders/${traderId}/notes`, { body: 'a note' })),
    /** A signed-in user of a role, with the password of the tests. */
    member: async (role: Role): Promise<Caller & { email: string; session: string }> => {
      const token = randomToken(32)
      const address = email()
      return ctx.write('test.member', (tx) => {
        const user = tx.insert(users, { email: address, displayName: unique('Staff'), roles: [role], status: 'active' })
        tx.insert(credentials, { userId: user.id, passwordHash: hash })
        const late = tx.now + 1e12
        const times = { lastSeenAt: tx.now, provenAt: late, createdAt: late, expiresAt: late }
        const session = tx.insert(sessions, { userId: user.id, tokenHash: sha256Hex(token), ip: '127.0.0.1', ...times })
        return { id: user.id, email: address, session: session.id, headers: cookieHeaders(token) }
      })
    },
    /** A signed-in trader with the password of the tests. */
    traderSession: async (traderId: string): Promise<Caller> => {
      await ctx.write('test.credential', (tx) => {
        if (!tx.find(credentials, { traderId })) tx.insert(credentials, { traderId, passwordHash: hash })
        return null
      })
      return firm.traderSession(traderId)
    },
    key: async (userId: string, scopes: readonly Scope[], extra: { expiresAt?: number; revokedAt?: number } = {}) => {
      const { key, publicId, secretHash } = mintApiKey()
      const id = platform.ids.next('key')
      await ctx.write('test.key', (tx) =>
        tx.execute(
          `INSERT INTO api_keys (tenant_id, id, public_id, user_id, label, secret_hash, scopes, expires_at, revoked_at, created_at, updated_at)
           VALUES (?1,?2,?3,?4,'test',?5,?6,?7,?8,?9,?9)`,
          [
            id,
            publicId,
            userId,
            secretHash,
            JSON.stringify(scopes),
            extra.expiresAt ?? null,
            extra.revokedAt ?? null,
            tx.now,
          ],
        ),
      )
      return { id, key, headers: { 'x-api-key': key } }
    },
    /** The token of a one-time link for a user. */
    link: async (userId: string, purpose: 'invite' | 'reset'): Promise<string> => {
      const token = randomToken(32)
      await ctx.write('test.link', (tx) =>
        tx.insert(oneTimeLinks, { userId, purpose, tokenHash: sha256Hex(token), expiresAt: tx.now + 3_000_000 }),
      )
      return token
    },
    callback: (depositId: string) =>
      signGatewayCallback(GATEWAY_SECRET, {
        ...{ reference: unique('ref'), depositId, status: 'success' as const },
        ...{ amount: '100.00', currency: 'EUR' },
      }),
  }

  const client = await make.client()
  const broker = await make.trader()
  const affiliate = await make.affiliate(broker)
  const below = await make.affiliate(undefined, affiliate)
  const account = await make.account(client)
  const { accountNumber } = await did(app.call('GET', `/v1/accounts/${account}`, { as: owner }))
  const subscription = await make.subscription()
  const member = await make.member('viewer')
  const gateway = await make.gateway()
  const submission = await make.submission(client)
  await make.note(client)
  await make.invited()
  await make.adjustment(client)
  await post('/v1/transfers', {
    fromWalletId: await make.walletOf(client, 'EUR'),
    toAccountId: account,
    amount: '5',
  })
  const view = {
    list: 'deposits',
    name: 'Big ones',
    filters: {},
    look: { hidden: [], order: [], widths: {}, dense: false },
  }
  const savedView = await post('/v1/saved-views', { ...view, shared: true })
  const mails = await did(app.call('GET', '/v1/mails', { as: owner }))
  /** A standing row of each kind, by the path up to its parameter: what reads and refusals are tried on. */
  const ids: Readonly<Record<string, string>> = {
    '/v1/accounts/:id': account,
    // one that only looks
    '/v1/system/jobs/:name': 'sandbox.watch',
    '/v1/system/backups/:id': SNAPSHOT,
    '/v1/adjustments/:id': await make.adjustment(client),
    '/v1/traders/import/:id': await importOf({ ctx, firm }, 'done'),
    '/v1/admin/deposits/:id': await make.deposit(client),
    '/v1/affiliates/:id': affiliate,
    '/v1/affiliates/commissions/:id': await make.commission(affiliate, client),
    '/v1/affiliates/payouts/:id': await make.payout(affiliate),
    '/v1/commission-plans/:id': await make.plan(),
    '/v1/ads/connections/:id': (await make.adConnection()).id,
    '/v1/admin/impersonate/:id': await make.view(),
    '/v1/admin/traders/:id': client,
    '/v1/api-keys/:id': (await make.key(owner.id, ['traders:read'])).id,
    '/v1/auth/sessions/:id': member.session,
    '/v1/deposits/:id': await make.deposit(client),
    '/v1/files/:key': await make.logo(),
    '/v1/fx/rates/:id': await make.rate(),
    '/v1/kyc/documents/:id': await make.document(client),
    '/v1/kyc/submissions/:id': submission,
    '/v1/leads/:id': await make.lead(),
    '/v1/mails/:id': mails.data[0].id,
    '/v1/positions/:id': await make.position(accountNumber),
    '/v1/psp/:connectionId': gateway,
    '/v1/psp/connections/:id': gateway,
    '/v1/psp/exceptions/:id': await make.exception(),
    '/v1/sanctions/hits/:id': await make.hit(await make.trader()),
    '/v1/saved-views/:id': savedView.id,
    '/v1/support/tickets/:id': await make.ticket(client),
    '/v1/tenants/:id': firm.tenantId,
    '/v1/traders/:id': client,
    '/v1/transfers/:id': await make.sentTransfer(client),
    '/v1/users/:id': member.id,
    '/v1/wallets/:id': await make.walletOf(client),
    '/v1/webhooks/deliveries/:id': await make.delivery(subscription),
    '/v1/webhooks/subscriptions/:id': subscription,
    '/v1/withdrawals/:id': await make.withdrawal(client),
  }
  /** A right code of a new authenticator for a caller. */
  const code = async (as: Caller): Promise<string> => {
    const { secret } = await post('/v1/auth/2fa/setup', undefined, as)
    return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: app.clock.now() })
  }
  /** An introducing broker: the client they are, their affiliate, and one below. */
  const ib = { trader: broker, affiliate, below }
  const adCredentials = AD_CREDENTIALS
  return { app, firm, ctx, make, ids, adCredentials, client, ib, unique, email, code, receiver }
}

const cookieHeaders = (token: string) => ({
  cookie: `crm_session=${token}`,
  origin: 'http://localhost',
  'sec-fetch-site': 'same-origin',
})

/**
 * A route's path with its parameters filled from `ids`; a parameter that nobody furnished fails the test that needs it.
 */
export function fill(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/:\w+/g, (name, offset: number) => {
    const upTo = path.slice(0, offset) + name
    const id = ids[upTo]
    if (id === undefined) throw new Error(`no row is furnished for ${upTo}: add it to src/contract/world.ts`)
    return id
  })
}
