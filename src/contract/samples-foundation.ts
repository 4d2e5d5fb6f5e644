import { mails } from '../modules/base/mails/mails.table.ts'
import { renewedBy } from '../testing/sign-in.ts'
import { PNG } from './makers-papers.ts'
import { body, type Make, on, pickClient, png } from './sample.ts'
import type { Acting, Place } from './seed-firm.ts'
import { PASSWORD } from './seed-room.ts'

const ownDeposit = { currency: 'EUR', amount: '12.50', method: 'bank' }

const LOOK = { hidden: ['note'], order: ['amount', 'status'], widths: { amount: 140 }, dense: true }
const aView = ({ unique }: Place) => ({
  list: 'deposits',
  name: unique('Mine'),
  filters: { status: 'pending', sort: 'createdAt' },
  look: LOOK,
  shared: false,
  isDefault: true,
})
/** Makes a saved view of the caller, which no other colleague may change. */
const ownView = async (place: Place, { as }: Acting): Promise<string> => {
  const { body: view } = await place.app.call('POST', '/v1/saved-views', { as, body: aView(place) })
  return `/v1/saved-views/${view.id}`
}

/** Queues an invitation mail, as if there were a mail server. */
const queuedMail = (ctx: Place['ctx'], linkUserId: string): Promise<string> =>
  ctx.write('test.mail', (tx) => {
    const id = tx.find(mails, { linkUserId })?.id ?? ''
    return tx.update(mails, id, { status: 'queued', nextAttemptAt: tx.now }).id
  })

export const foundationSamples: Readonly<Record<string, Make>> = {
  // setup is closed for ever once there is a tenant
  'POST /v1/setup': () => ({
    path: '/v1/setup',
    body: { token: 'x', tenantName: 'X', email: 'x@x.test', displayName: 'X', password: PASSWORD },
    status: 409,
  }),
  'PUT /v1/setup/progress': body(() => ({ putAway: true })),

  'POST /v1/auth/login': body(async ({ make }) => ({ email: (await make.member('viewer')).email, password: PASSWORD })),
  'POST /v1/auth/logout': body(() => ({})),
  'POST /v1/auth/reauthenticate': body(() => ({ password: PASSWORD })),
  'POST /v1/auth/change-password': body(() => ({ currentPassword: PASSWORD, newPassword: `${PASSWORD}!` })),
  'PATCH /v1/auth/me': body((place) => ({ displayName: place.unique('Renamed') })),
  'POST /v1/auth/forgot': body(async ({ make }) => ({ email: (await make.member('viewer')).email })),
  'POST /v1/auth/reset': body(async ({ make }) => ({
    token: await make.link((await make.member('viewer')).id, 'reset'),
    password: PASSWORD,
  })),
  'DELETE /v1/auth/sessions/:id': async (place, { as }) => {
    const mine = await place.app.call('GET', '/v1/auth/sessions', { as })
    // a key has no session, and revokes one of its maker, who may have none
    const [session] = mine.body?.data ?? []
    return { path: `/v1/auth/sessions/${session?.id ?? 'none'}`, ...(session ? {} : { status: 404 }) }
  },
  'POST /v1/auth/sessions/revoke-all': body(() => ({})),
  'POST /v1/auth/2fa/setup': body(() => ({})),
  'POST /v1/auth/2fa/enable': async (place, { as }) => ({
    path: '',
    body: { code: await place.code(as), password: PASSWORD },
  }),
  'POST /v1/auth/2fa/disable': async (place, { as }) => {
    const code = await place.code(as)
    const enabled = await place.app.call('POST', '/v1/auth/2fa/enable', { as, body: { code, password: PASSWORD } })
    // from now on the session continues under another cookie
    const { cookie } = renewedBy(as, enabled).headers
    if (as.headers.cookie !== undefined && cookie !== undefined) Object.assign(as.headers, { cookie })
    return { path: '', body: { password: PASSWORD, code: enabled.body?.recoveryCodes?.[0] ?? '000000' } }
  },

  'POST /v1/system/recovery-key/words': body(() => ({})),
  'POST /v1/system/backups': body(() => ({})),
  'PUT /v1/system/boxes': body(() => ({ boxes: [{ name: 'here', url: 'http://127.0.0.1:1' }] })),
  'POST /v1/system/drills': body(() => ({})),
  'POST /v1/system/jobs/:name/run': body(() => ({})),
  'POST /v1/system/recovery-key/kept': body(() => ({ elsewhere: 'On paper, in the safe of the office.' })),

  // these tests have no mail server, so this mail is already queued
  'POST /v1/mails/:id/send': on(
    async ({ ctx, make }) => `/v1/mails/${await queuedMail(ctx, await make.invited())}/send`,
    {},
  ),
  'POST /v1/users/invite': body((place) => ({
    email: place.email(),
    displayName: place.unique('New'),
    roles: ['viewer'],
  })),
  'POST /v1/users/accept-invite': body(async ({ make, unique }) => ({
    token: await make.link(await make.invited(), 'invite'),
    password: PASSWORD,
    displayName: unique('Accepted'),
  })),
  // the request keeps the present name, since only an owner may change it
  'PATCH /v1/users/:id': on(async ({ make }) => `/v1/users/${(await make.member('viewer')).id}`, {
    status: 'disabled',
  }),
  'DELETE /v1/users/:id': on(async ({ make }) => `/v1/users/${(await make.member('viewer')).id}`),
  'PATCH /v1/users/:id/roles': on(async ({ make }) => `/v1/users/${(await make.member('viewer')).id}/roles`, {
    roles: ['operator'],
  }),
  'POST /v1/users/:id/resend-invite': on(async ({ make }) => `/v1/users/${await make.invited()}/resend-invite`),
  'POST /v1/users/:id/vouch': on(async ({ make }) => `/v1/users/${await make.colleague()}/vouch`, {
    note: 'I know them',
  }),
  'POST /v1/users/:id/2fa/reset': on(async ({ app, make, code }) => {
    const member = await make.member('viewer')
    const body = { code: await code(member), password: PASSWORD }
    await app.call('POST', '/v1/auth/2fa/enable', { as: member, body })
    return `/v1/users/${member.id}/2fa/reset`
  }),

  'PATCH /v1/tenants/current': body((place) => ({
    name: place.unique('Firm'),
    branding: { color: '#123456' },
    featureFlags: { beta: true },
  })),
  'POST /v1/tenants/current/logo-upload': body(() => png),
  'POST /v1/tenants/current/logo-confirm': body(async ({ make }) => ({
    key: await make.upload('/v1/tenants/current/logo-upload', {}),
  })),
  'POST /v1/tenants': body((place) => ({
    name: 'Another',
    slug: place.unique('firm'),
    domain: `${place.unique('d')}.test`,
    owner: { email: place.email(), displayName: 'Owner', password: PASSWORD },
  })),
  'PATCH /v1/tenants/:id': body((place) => ({ name: place.unique('Firm'), status: 'active', domain: null })),
  'PUT /v1/files/:key': async ({ app, firm }) => {
    const { body: upload } = await app.call('POST', '/v1/tenants/current/logo-upload', { as: firm.as.owner, body: png })
    return { path: upload.uploadUrl, raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } }
  },

  'POST /v1/api-keys': body(() => ({
    label: 'robot',
    scopes: ['api-keys:write'],
    role: 'viewer',
    expiresAt: '2099-01-01T00:00:00.000Z',
    allowedNetworks: ['127.0.0.0/8'],
  })),
  'PATCH /v1/api-keys/:id': on(
    async ({ make }) => `/v1/api-keys/${(await make.key((await make.member('viewer')).id, ['api-keys:write'])).id}`,
    { label: 'renamed', expiresAt: null, allowedNetworks: [] },
  ),
  'DELETE /v1/api-keys/:id': on(
    async ({ make }) => `/v1/api-keys/${(await make.key((await make.member('viewer')).id, ['api-keys:write'])).id}`,
  ),
  'GET /v1/saved-views': () => ({ path: '/v1/saved-views?list=deposits' }),
  'POST /v1/saved-views': body(aView),
  'PATCH /v1/saved-views/:id': on(ownView, { name: 'Other', filters: {}, look: LOOK, shared: false, isDefault: true }),
  'DELETE /v1/saved-views/:id': on(ownView),
  'GET /v1/search': () => ({ path: '/v1/search?q=Ada' }),

  'POST /v1/traders': body((place) => ({
    email: place.email(),
    phone: '+35722123456',
    firstName: 'Ada',
    lastName: 'Byron',
    country: 'CY',
    language: 'en',
    dateOfBirth: '1990-01-02',
    address: { street: 'Long Street 1', city: 'Nicosia', region: 'N', postalCode: '1000' },
    riskLevel: 'low',
    segments: ['vip'],
    tags: ['new'],
    assignedTo: place.firm.as.operator.id,
    source: 'fair',
    metadata: { a: 1 },
  })),
  'PATCH /v1/traders/:id': async (place) => ({
    path: `/v1/traders/${await place.make.trader()}`,
    body: {
      email: place.email(),
      status: 'suspended',
      firstName: 'Augusta',
      tags: ['vip'],
      phone: null,
      address: { city: 'Limassol' },
      metadata: { b: 2 },
    },
  }),
  'DELETE /v1/traders/:id': on(async ({ make }) => `/v1/traders/${await make.trader()}`),
  'POST /v1/traders/:id/restore': on(async (place) => {
    const id = await place.make.trader()
    await place.app.call('DELETE', `/v1/traders/${id}`, { as: place.firm.as.owner })
    return `/v1/traders/${id}/restore`
  }),
  'POST /v1/traders/:id/invite': on(async ({ make }) => `/v1/traders/${await make.trader()}/invite`),
  'POST /v1/traders/:id/notes': body(() => ({ body: 'called' })),

  'POST /v1/accounts': body((place) => ({
    traderId: place.client,
    platform: 'terminal5',
    externalId: place.unique('ext'),
    accountNumber: place.unique('acc'),
    currency: 'EUR',
    balance: '10.00',
    equity: '9.50',
    leverage: 100,
    isDemo: false,
    metadata: { group: 'A' },
  })),
  'PATCH /v1/accounts/:id': async (place) => ({
    path: `/v1/accounts/${await place.make.account(place.client)}`,
    body: {
      traderId: place.client,
      platform: 'terminal4',
      currency: 'USD',
      externalId: place.unique('ext'),
      accountNumber: place.unique('acc'),
      balance: '1',
      equity: '1',
      leverage: 50,
      isDemo: true,
      metadata: {},
      status: 'suspended',
    },
  }),
  'POST /v1/accounts/sync': body(async (place) => ({
    platform: 'terminal5',
    server: place.unique('live'),
    sequence: 1,
    accounts: [
      {
        accountNumber: await place.make.accountNumber(place.client),
        balance: '10.00',
        equity: '9.50',
        currency: 'EUR',
      },
    ],
  })),
  'DELETE /v1/accounts/:id': on(async ({ make, client }) => `/v1/accounts/${await make.account(client)}`),

  'POST /v1/deposits': body((place, acting) => ({
    traderId: pickClient(place, acting),
    currency: 'EUR',
    amount: '12.50',
    method: 'bank',
    pspConnectionId: place.ids['/v1/psp/connections/:id'],
    ...(acting.trader === undefined && { providerReference: place.unique('ref') }),
    note: 'a note',
  })),
  'POST /v1/deposits/:id/settle': on(async ({ make, client }) => `/v1/deposits/${await make.deposit(client)}/settle`),
  'POST /v1/deposits/:id/fail': on(async ({ make, client }) => `/v1/deposits/${await make.deposit(client)}/fail`, {
    reason: 'it never came',
  }),
  'POST /v1/admin/deposits/:id/partial-settle': on(
    async ({ make, client }) => `/v1/admin/deposits/${await make.deposit(client)}/partial-settle`,
    { settledAmount: '40.00', notes: 'short' },
  ),
  'POST /v1/deposits/:id/cancel': on(async (place, acting) => {
    const id =
      acting.trader === undefined
        ? await place.make.deposit(place.client)
        : (await place.app.call('POST', '/v1/deposits', { as: acting.as, body: ownDeposit })).body.id
    return `/v1/deposits/${id}/cancel`
  }),
  'POST /v1/psp/exceptions/:id/close': on(async ({ make }) => `/v1/psp/exceptions/${await make.exception()}/close`, {
    reason: 'refunded by the gateway',
  }),
  'POST /v1/psp/connections': body(() => ({ name: 'Gate', kind: 'generic', secret: 'sixteen characters' })),
  'PATCH /v1/psp/connections/:id': on(async ({ make }) => `/v1/psp/connections/${await make.gateway()}`, {
    name: 'Renamed',
    status: 'disabled',
    secret: 'another secret of it',
  }),
  'DELETE /v1/psp/connections/:id': on(async ({ make }) => `/v1/psp/connections/${await make.gateway()}`),
  'POST /v1/psp/:connectionId/callback': async (place) => {
    const pspConnectionId = await place.make.gateway()
    const id = await place.make.deposit(place.client, '100', 'EUR', { pspConnectionId })
    const { body: raw, headers } = place.make.callback(id)
    return { path: `/v1/psp/${pspConnectionId}/callback`, raw, headers }
  },

  'POST /v1/webhooks/subscriptions': body(({ receiver }) => ({
    url: receiver,
    events: ['trader.created'],
  })),
  'PATCH /v1/webhooks/subscriptions/:id': async ({ make, receiver }) => ({
    path: `/v1/webhooks/subscriptions/${await make.subscription()}`,
    body: { url: receiver, events: ['trader.updated'], enabled: false },
  }),
  'DELETE /v1/webhooks/subscriptions/:id': on(
    async ({ make }) => `/v1/webhooks/subscriptions/${await make.subscription()}`,
  ),
  'POST /v1/webhooks/subscriptions/:id/rotate-secret': on(
    async ({ make }) => `/v1/webhooks/subscriptions/${await make.subscription()}/rotate-secret`,
    { overlapHours: 1 },
  ),
  'POST /v1/webhooks/subscriptions/:id/recover': on(
    async ({ make }) => `/v1/webhooks/subscriptions/${await make.subscription()}/recover`,
    { after: 0 },
  ),
  'POST /v1/webhooks/subscriptions/:id/confirm': on(
    async ({ make }) => `/v1/webhooks/subscriptions/${await make.subscriptionLeft()}/confirm`,
  ),
  'POST /v1/webhooks/subscriptions/:id/test': on(
    async ({ make }) => `/v1/webhooks/subscriptions/${await make.subscription()}/test`,
  ),
  'POST /v1/webhooks/deliveries/:id/replay': body(() => ({})),
}
