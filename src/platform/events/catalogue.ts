import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { say, sayForAll } from '../../words/say.ts'
import { nameSchema } from '../wire/schema-name.ts'

const Id = Type.String()
const Text = Type.String()
const Money = Type.String({ description: 'decimal amount' })
const Maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Trader = nameSchema(
  'TraderFacts',
  Type.Object({ traderId: Id, status: Text, kycLevel: Type.Integer(), version: Type.Integer() }),
)
const Lead = nameSchema('LeadFacts', Type.Object({ leadId: Id, status: Text, source: Maybe(Text) }))
const Kyc = nameSchema('KycFacts', Type.Object({ submissionId: Id, traderId: Id, level: Type.Integer() }))
const Deposit = nameSchema(
  'DepositFacts',
  Type.Object({
    depositId: Id,
    traderId: Id,
    status: Text,
    method: Text,
    currency: Text,
    amount: Money,
    settledAmount: Maybe(Money),
    providerReference: Maybe(Text),
  }),
)
const Withdrawal = nameSchema(
  'WithdrawalFacts',
  Type.Object({ withdrawalId: Id, traderId: Id, status: Text, currency: Text, amount: Money }),
)
const Position = nameSchema(
  'PositionFacts',
  Type.Object({
    positionId: Id,
    traderId: Maybe(Id),
    platform: Text,
    server: Text,
    ticket: Text,
    accountNumber: Text,
    accountId: Maybe(Id),
    symbol: Text,
    side: Text,
    volume: Type.String({ description: 'lots' }),
    closedVolume: Type.String({ description: 'all lots closed under the ticket' }),
    openPrice: Text,
    currentPrice: Text,
    currency: Type.Union([Text, Type.Null()], { description: 'of the account; null while nobody owns it' }),
    profit: Money,
    swap: Money,
    commission: Money,
    openedAt: Type.String({ description: 'ISO 8601, UTC' }),
    closedAt: Maybe(Type.String({ description: 'ISO 8601, UTC' })),
  }),
)
const Ticket = nameSchema(
  'TicketFacts',
  Type.Object({ ticketId: Id, traderId: Maybe(Id), priority: Text, status: Text }),
)
const withDetail = <T extends TSchema>(schema: T) =>
  Type.Intersect([schema, Type.Object({ detail: Type.String({ description: 'the reason' }) })])

/** Declares an event: the operations that fire it, its payload, and a sample. */
const define = <T extends TSchema>(by: readonly string[], payload: T, sample: Static<T>) => ({
  by,
  payload,
  sample,
})

const id = (prefix: string): string => `${prefix}_01kf5p3w7n8q2r4t6v9x1y3z5a`
const traderId = id('trd')
const trader = { traderId, status: 'active', kycLevel: 1, version: 3 }
const lead = { leadId: id('led'), status: 'new', source: 'website' }
const kyc = { submissionId: id('kyc'), traderId, level: 2 }
const deposit = {
  depositId: id('dep'),
  traderId,
  status: 'pending',
  method: 'bank',
  currency: 'EUR',
  amount: '250.00',
  settledAmount: null,
  providerReference: null,
}
const withdrawal = { withdrawalId: id('wdr'), traderId, status: 'requested', currency: 'EUR', amount: '120.00' }
const position = {
  positionId: id('pos'),
  traderId,
  platform: 'terminal5',
  server: 'live-1',
  ticket: '70412398',
  accountNumber: '100245',
  accountId: id('acc'),
  symbol: 'EURUSD',
  side: 'long',
  volume: '0.50',
  closedVolume: '0.00',
  openPrice: '1.08412',
  currentPrice: '1.08412',
  currency: 'EUR',
  profit: '0.00',
  swap: '0.00',
  commission: '-1.75',
  openedAt: '2026-01-31T09:30:00.000Z',
  closedAt: null,
}
const ticket = { ticketId: id('tck'), traderId, priority: 'high', status: 'open' }

/**
 * Every event that can be subscribed to, with its payload and a sample: the webhook form, OpenAPI's webhooks, the pages
 * beside the explorer and `tx.emit` use this list. src/README “Events and webhooks”.
 */
export const EVENTS = {
  'trader.created': define(['traders.create', 'traders.import', 'leads.convert'], Trader, {
    ...trader,
    kycLevel: 0,
    version: 1,
  }),
  'trader.updated': define(
    [
      'traders.update',
      'traders.restore',
      'traders.bulkEdit',
      'traders.bulkSegments',
      'traders.merge',
      'kyc.submissions.create',
      'kyc.submissions.approve',
      'kyc.submissions.reject',
      'kyc.submissions.revoke',
      'kyc.bulkApprove',
      'kyc.bulkReject',
    ],
    Type.Intersect([
      Trader,
      Type.Object({ changed: Type.Array(Text, { description: 'names of the changed fields' }) }),
    ]),
    { ...trader, changed: ['kycLevel'] },
  ),
  'trader.deleted': define(['traders.delete', 'traders.merge', 'traders.imports.undo'], Trader, {
    ...trader,
    version: 4,
  }),
  'lead.created': define(['leads.create', 'leads.import', 'ads.backfill', 'ads.notify'], Lead, lead),
  'lead.converted': define(['leads.convert'], Type.Intersect([Lead, Type.Object({ traderId: Id })]), {
    ...lead,
    status: 'converted',
    traderId,
  }),
  'kyc.requested': define(['kyc.submissions.create', 'traders.update'], Kyc, kyc),
  'kyc.approved': define(['kyc.submissions.approve', 'kyc.bulkApprove'], Kyc, kyc),
  'kyc.rejected': define(
    ['traders.merge', 'kyc.submissions.reject', 'kyc.submissions.revoke', 'kyc.bulkReject'],
    withDetail(Kyc),
    {
      ...kyc,
      detail: say('problems.example.document_expired'),
    },
  ),
  'deposit.created': define(['deposits.create'], Deposit, deposit),
  'deposit.settled': define(
    ['deposits.settle', 'deposits.partialSettle', 'psp.callback'],
    Type.Intersect([Deposit, Type.Object({ partial: Type.Boolean() })]),
    { ...deposit, status: 'settled', settledAmount: '250.00', providerReference: 'WIRE-2041', partial: false },
  ),
  'deposit.failed': define(
    ['deposits.fail', 'psp.callback'],
    Type.Intersect([Deposit, Type.Object({ reason: Text })]),
    { ...deposit, status: 'failed', method: 'card', reason: 'The card was declined.' },
  ),
  'withdrawal.requested': define(['withdrawals.create'], Withdrawal, withdrawal),
  'withdrawal.approved': define(['withdrawals.bulkApprove', 'withdrawals.approve'], Withdrawal, {
    ...withdrawal,
    status: 'approved',
  }),
  'withdrawal.paid': define(['withdrawals.pay'], Withdrawal, {
    ...withdrawal,
    status: 'paid',
  }),
  'withdrawal.rejected': define(['withdrawals.reject'], withDetail(Withdrawal), {
    ...withdrawal,
    status: 'rejected',
    detail: say('problems.example.destination_name'),
  }),
  'position.opened': define(['positions.sync'], Position, position),
  'position.updated': define(['positions.sync'], Position, {
    ...position,
    currentPrice: '1.08512',
    profit: '46.08',
  }),
  'position.closed': define(['positions.sync'], Position, {
    ...position,
    closedVolume: '0.50',
    currentPrice: '1.08530',
    profit: '54.37',
    closedAt: '2026-01-31T14:05:12.000Z',
  }),
  'position.corrected': define(['positions.sync'], Position, {
    ...position,
    closedVolume: '0.50',
    currentPrice: '1.08530',
    profit: '51.20',
    closedAt: '2026-01-31T14:05:12.000Z',
  }),
  'support.ticket_created': define(['support.tickets.create'], Ticket, ticket),
  'support.ticket_replied': define(['support.messages.add'], Ticket, {
    ...ticket,
    status: 'pending',
  }),
  'support.ticket_closed': define(['support.tickets.close'], Ticket, {
    ...ticket,
    status: 'resolved',
  }),
} as const

export type EventName = keyof typeof EVENTS
/** Returns what happened, in English as the documents of the interface are. */
export const describeEvent = (name: EventName): string => sayForAll(`webhooks.told.${name}`)
type Resource = EventName extends `${infer Before}.${string}` ? Before : never

/** The scope that a key needs to read events of each resource in the feed, besides `webhooks:read`. RULES “Events”. */
const READ_SCOPES = {
  trader: 'traders:read',
  lead: 'leads:read',
  kyc: 'kyc:read',
  deposit: 'deposits:read',
  withdrawal: 'withdrawals:read',
  position: 'positions:read',
  support: 'support:read',
} as const satisfies Record<Resource, `${string}:read`>

const isResource = (word: string): word is Resource => Object.hasOwn(READ_SCOPES, word)

/** Returns the events that a holder of scopes may read; `holds` says whether one is held. */
export const readableEvents = (holds: (scope: (typeof READ_SCOPES)[Resource]) => boolean): EventName[] =>
  eventNames.filter((name) => {
    const [resource = ''] = name.split('.')
    return isResource(resource) && holds(READ_SCOPES[resource])
  })
export type EventPayload<E extends EventName> = Static<(typeof EVENTS)[E]['payload']>

/** Returns an event as a receiver gets it, in the order of keys that is sent: the shape of `Envelope` with a sample. */
export const buildSampleEvent = (name: EventName, sequence = 1841) => ({
  id: id('evt'),
  event: name,
  createdAt: '2026-01-31T14:05:12.381Z',
  tenantId: id('tnt'),
  sequence,
  payload: EVENTS[name].sample,
})
export const isEventName = (value: unknown): value is EventName =>
  typeof value === 'string' && Object.hasOwn(EVENTS, value)
/** Every name, in the catalogue's order. */
export const eventNames: readonly EventName[] = Object.keys(EVENTS).filter(isEventName)
/** Returns the events that an operation may fire. */
export const firedBy = (operationId: string): EventName[] =>
  eventNames.filter((name) => EVENTS[name].by.includes(operationId))
