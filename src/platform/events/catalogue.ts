import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { named } from '../http/named.ts'

const Id = Type.String()
const Text = Type.String()
const Money = Type.String({ description: 'decimal amount' })
const Maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Trader = named(
  'TraderFacts',
  Type.Object({ traderId: Id, status: Text, kycLevel: Type.Integer(), version: Type.Integer() }),
)
const Lead = named('LeadFacts', Type.Object({ leadId: Id, status: Text, source: Maybe(Text) }))
const Kyc = named('KycFacts', Type.Object({ submissionId: Id, traderId: Id, level: Type.Integer() }))
const Deposit = named(
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
const Withdrawal = named(
  'WithdrawalFacts',
  Type.Object({ withdrawalId: Id, traderId: Id, status: Text, currency: Text, amount: Money }),
)
const Position = named(
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
const Ticket = named('TicketFacts', Type.Object({ ticketId: Id, traderId: Maybe(Id), priority: Text, status: Text }))
const withDetail = <T extends TSchema>(schema: T) =>
  Type.Intersect([schema, Type.Object({ detail: Type.String({ description: 'the reason' }) })])

const define = <T extends TSchema>(description: string, payload: T) => ({ description, payload })

/**
 * Every event that can be subscribed to, with its payload: the webhook
 * form, OpenAPI's webhooks and `tx.emit` read this list. Interface §6.
 */
export const EVENTS = {
  'trader.created': define('A trader is provisioned', Trader),
  'trader.updated': define(
    'Profile fields, KYC level or tags change',
    Type.Intersect([
      Trader,
      Type.Object({ changed: Type.Array(Text, { description: 'names of the changed fields' }) }),
    ]),
  ),
  'trader.deleted': define('A trader is soft-deleted (erased after 30 days)', Trader),
  'lead.created': define('A sales lead is captured', Lead),
  'lead.converted': define('A lead is converted to a trader', Type.Intersect([Lead, Type.Object({ traderId: Id })])),
  'kyc.requested': define('A trader submitted KYC documents for review', Kyc),
  'kyc.approved': define('A KYC submission is approved', Kyc),
  'kyc.rejected': define('A KYC submission is rejected', withDetail(Kyc)),
  'deposit.created': define('A pending deposit is created, awaiting gateway settlement', Deposit),
  'deposit.settled': define(
    'The money arrived; `partial` tells a short settlement',
    Type.Intersect([Deposit, Type.Object({ partial: Type.Boolean() })]),
  ),
  'deposit.failed': define(
    'The gateway returned a hard failure',
    Type.Intersect([Deposit, Type.Object({ reason: Text })]),
  ),
  'withdrawal.requested': define('A trader requested a withdrawal', Withdrawal),
  'withdrawal.approved': define('An operator approved the withdrawal', Withdrawal),
  'withdrawal.paid': define('Withdrawal funds were dispatched', Withdrawal),
  'withdrawal.rejected': define('The withdrawal was denied', withDetail(Withdrawal)),
  'position.opened': define('A position opened on a connected trading platform', Position),
  'position.updated': define('Position price or profit changed', Position),
  'position.closed': define('A position was closed', Position),
  'support.ticket_created': define('A trader or operator opened a ticket', Ticket),
  'support.ticket_replied': define('A message was added to a ticket', Ticket),
  'support.ticket_closed': define('A ticket was marked resolved', Ticket),
} as const

export type EventName = keyof typeof EVENTS
type Resource = EventName extends `${infer Before}.${string}` ? Before : never

/** What a key needs to read the events of each resource in the feed, beside `webhooks:read`. rules.md “Events”. */
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

/** The names of the catalogue that a holder of scopes may read; `holds` says whether one is held. */
export const readableEvents = (holds: (scope: (typeof READ_SCOPES)[Resource]) => boolean): EventName[] =>
  eventNames.filter((name) => {
    const [resource = ''] = name.split('.')
    return isResource(resource) && holds(READ_SCOPES[resource])
  })
export type EventPayload<E extends EventName> = Static<(typeof EVENTS)[E]['payload']>
export const isEventName = (value: unknown): value is EventName =>
  typeof value === 'string' && Object.hasOwn(EVENTS, value)
/** Every name, in the catalogue's order. */
export const eventNames: readonly EventName[] = Object.keys(EVENTS).filter(isEventName)
