import { body, type Make, on, pickClient, png } from './sample.ts'

export const moneySamples: Readonly<Record<string, Make>> = {
  'POST /v1/withdrawals': body(async (place, acting) => {
    await place.make.screened()
    return {
      traderId: pickClient(place, acting),
      currency: 'EUR',
      amount: '10.00',
      destination: { kind: 'bank', reference: 'CY17 0020 0128', holder: 'Ada Byron' },
      note: 'please',
    }
  }),
  'GET /v1/withdrawals/reviews': async ({ make, client }) => ({
    path: `/v1/withdrawals/reviews?ids=${await make.withdrawal(client)}`,
  }),
  'POST /v1/withdrawals/bulk-approve': body(async ({ make, client }) => ({
    ids: [await make.withdrawal(client)],
    note: 'fine',
  })),
  'POST /v1/withdrawals/:id/approve': on(
    async ({ make, client }) => `/v1/withdrawals/${await make.withdrawal(client)}/approve`,
    { note: 'fine' },
  ),
  'POST /v1/withdrawals/:id/reject': on(
    async ({ make, client }) => `/v1/withdrawals/${await make.withdrawal(client)}/reject`,
    { detail: 'The name differs.', note: 'watch' },
  ),
  'POST /v1/withdrawals/:id/pay': async (place) => {
    const id = await place.make.withdrawal(place.client)
    const approval = { as: place.firm.as.admin, body: { note: 'looked' } }
    await place.app.call('POST', `/v1/withdrawals/${id}/approve`, approval)
    return { path: `/v1/withdrawals/${id}/pay`, body: { paymentReference: place.unique('WIRE') } }
  },
  'POST /v1/withdrawals/:id/cancel': on(
    async (place, acting) => `/v1/withdrawals/${await place.make.withdrawal(pickClient(place, acting))}/cancel`,
    {},
  ),
  'PUT /v1/approval-policies': body(() => ({ currency: 'EUR', threshold: '5000.00', minKycLevel: 1 })),
  'POST /v1/transfers': body(async (place, acting) => {
    await place.make.screened()
    return {
      fromWalletId: await place.make.findWallet(pickClient(place, acting), 'EUR'),
      toAccountId: await place.make.account(pickClient(place, acting)),
      amount: '3.00',
      note: 'to trade with',
    }
  }),
  'POST /v1/transfers/:id/acknowledge': on(
    async ({ make, client }) => `/v1/transfers/${await make.sentTransfer(client)}/acknowledge`,
    { state: 'booked', reference: 'T5-1' },
  ),
  'POST /v1/adjustments': body(({ client }) => ({
    traderId: client,
    currency: 'EUR',
    direction: 'credit',
    amount: '1.00',
    reason: 'goodwill',
  })),
  'POST /v1/adjustments/:id/approve': on(
    async ({ make, client }) => `/v1/adjustments/${await make.adjustment(client)}/approve`,
    { note: 'agreed' },
  ),
  'POST /v1/adjustments/:id/reject': on(
    async ({ make, client }) => `/v1/adjustments/${await make.adjustment(client)}/reject`,
    { reason: 'no' },
  ),
  'POST /v1/fx/rates/upsert': body(() => ({
    rates: [{ base: 'EUR', quote: 'CHF', rate: '0.95', source: 'desk' }],
    global: false,
  })),
  'POST /v1/admin/fx-rates': body(() => ({ base: 'EUR', quote: 'GBP', rate: 0.85 })),
  'DELETE /v1/fx/rates/:id': on(async ({ make }) => `/v1/fx/rates/${await make.rate()}`),
  'GET /v1/fx/convert': () => ({ path: '/v1/fx/convert?amount=5&base=EUR&quote=EUR' }),

  'POST /v1/kyc/submissions': body(async (place, acting) => {
    const traderId = acting.trader ?? (await place.make.trader())
    return { traderId, level: 2, documentIds: [await place.make.document(traderId)], note: 'papers' }
  }),
  'POST /v1/kyc/submissions/:id/approve': on(
    async ({ make }) => `/v1/kyc/submissions/${await make.submission(await make.trader())}/approve`,
    { note: 'fine' },
  ),
  'POST /v1/kyc/submissions/:id/reject': on(
    async ({ make }) => `/v1/kyc/submissions/${await make.submission(await make.trader())}/reject`,
    { code: 'unreadable', detail: 'Send a sharp picture.', kind: 'retry', note: 'blurred' },
  ),
  'POST /v1/kyc/submissions/:id/revoke': on(
    async ({ make }) => {
      const id = await make.submission(await make.trader())
      await make.approved(id)
      return `/v1/kyc/submissions/${id}/revoke`
    },
    { reason: 'the provider withdrew it', detail: 'Please send new papers.' },
  ),
  // a client may have only a few open uploads at once
  'POST /v1/kyc/documents/upload': body(async (place, acting) => ({
    traderId: acting.trader ?? (await place.make.trader()),
    ...png,
  })),
  'POST /v1/kyc/documents/confirm': body(async (place, acting) => {
    const traderId = acting.trader ?? (await place.make.trader())
    return {
      key: await place.make.upload('/v1/kyc/documents/upload', { traderId }),
      kind: 'passport',
      side: 'front',
      traderId,
    }
  }),
  'PUT /v1/kyc/reject-reasons': body(() => ({
    reasons: [
      { code: 'unreadable', staffText: 'Blurred', clientText: 'Please send a sharp picture.', kind: 'retry' },
      { code: 'forged', staffText: 'Forged', clientText: 'We cannot verify your identity.', kind: 'final' },
    ],
  })),
  'POST /v1/admin/traders/bulk-approve-kyc': body(async ({ make }) => {
    const trader = await make.trader()
    await make.submission(trader)
    return { ids: [trader], note: 'fine' }
  }),
  'POST /v1/admin/traders/bulk-reject-kyc': body(async ({ make }) => {
    const trader = await make.trader()
    await make.submission(trader)
    return { ids: [trader], code: 'unreadable', detail: 'Again, please.', kind: 'retry', note: 'no' }
  }),
  'POST /v1/sanctions/hits/:id/clear': on(
    async ({ make }) => `/v1/sanctions/hits/${await make.hit(await make.trader())}/clear`,
    { reason: 'born elsewhere' },
  ),
  'POST /v1/sanctions/hits/:id/confirm': on(
    async ({ make }) => `/v1/sanctions/hits/${await make.hit(await make.trader())}/confirm`,
    { reason: 'the same person' },
  ),
  'POST /v1/sanctions/lists': body((place) => ({
    source: 'un',
    version: place.unique('v'),
    content: `<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>${place.unique('N')}</FIRST_NAME>
      <REFERENCE_NUMBER>T.1</REFERENCE_NUMBER></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`,
  })),

  'POST /v1/leads': body((place) => ({
    email: place.email(),
    source: 'fair',
    campaign: 'spring',
    leadGenId: place.unique('lg'),
    firstName: 'Lea',
    lastName: 'Gold',
    country: 'CY',
    language: 'en',
    assignedTo: place.firm.as.operator.id,
    note: 'met at the fair',
    metadata: {},
  })),
  'PATCH /v1/leads/:id': on(async ({ make }) => `/v1/leads/${await make.lead()}`, {
    status: 'contacted',
    lastName: 'Silver',
  }),
  'DELETE /v1/leads/:id': on(async ({ make }) => `/v1/leads/${await make.lead()}`),
  'POST /v1/leads/:id/restore': on(async (place) => {
    const id = await place.make.lead()
    await place.app.call('DELETE', `/v1/leads/${id}`, { as: place.firm.as.owner })
    return `/v1/leads/${id}/restore`
  }),
  'POST /v1/leads/:id/convert': on(async ({ make }) => `/v1/leads/${await make.lead()}/convert`),
  'POST /v1/leads/bulk-assign': body(async ({ make, firm }) => ({
    ids: [await make.lead()],
    assignedTo: firm.as.operator.id,
  })),
  'POST /v1/leads/import': body((place) => ({
    csv: `mail,name\n${place.email()},Lea`,
    mapping: { mail: 'email', name: 'firstName' },
    source: 'list',
    assignedTo: place.firm.as.operator.id,
    dryRun: false,
  })),
  'POST /v1/support/tickets': body((place, acting) => ({
    traderId: pickClient(place, acting),
    subject: 'Help',
    body: 'It broke.',
    ...(acting.trader ? {} : { category: 'payments', priority: 'high' }),
  })),
  'PATCH /v1/support/tickets/:id': on(async ({ make, client }) => `/v1/support/tickets/${await make.ticket(client)}`, {
    priority: 'urgent',
    category: 'payments',
    assignedTo: null,
  }),
  'POST /v1/support/tickets/:id/messages': on(
    async (place, acting) => `/v1/support/tickets/${await place.make.ticket(pickClient(place, acting))}/messages`,
    { body: 'Hello' },
  ),
  'POST /v1/support/tickets/:id/close': on(
    async (place, acting) => `/v1/support/tickets/${await place.make.ticket(pickClient(place, acting))}/close`,
    {},
  ),
  'POST /v1/support/tickets/:id/reopen': on(async (place, acting) => {
    const id = await place.make.ticket(pickClient(place, acting))
    await place.app.call('POST', `/v1/support/tickets/${id}/close`, { as: place.firm.as.owner, body: {} })
    return `/v1/support/tickets/${id}/reopen`
  }),
  'PUT /v1/support/sla-policies': body(() => {
    const target = { firstReplyMinutes: 60, resolutionMinutes: 240, roundTheClock: false }
    return {
      timeZone: 'Europe/Nicosia',
      hours: [{ day: 1, from: '09:00', to: '18:00' }],
      holidays: ['2026-12-25'],
      targets: { urgent: target, high: target, normal: target, low: target },
    }
  }),
  'POST /v1/positions/sync': body(async (place) => ({
    platform: 'terminal5',
    server: place.unique('live'),
    sequence: 1,
    mode: 'delta',
    positions: [
      {
        ticket: place.unique('t'),
        accountNumber: await place.make.accountNumber(place.client),
        symbol: 'EURUSD',
        side: 'long',
        volume: '0.10',
        openPrice: '1.1',
        currentPrice: '1.2',
        profit: '10',
        swap: '0',
        commission: '0',
        openedAt: '2026-01-10T09:00:00Z',
      },
    ],
  })),
}
