import type { Role } from '../lib/api/session.ts'
import { type Answer, OPERATIONS, type Row } from '../operations.ts'
import { blank } from './blank.ts'

const AT = '2026-11-20T10:00:00.000Z'

/** Builds the signed-in colleague. */
export const meAs = (role: Role): Answer<'auth.me'> => ({
  kind: 'user',
  id: 'usr_me',
  email: 'elena@meridian.example',
  displayName: 'Elena Rossi',
  locale: null,
  role,
  roles: [role],
  twoFactor: true,
  mustChangePassword: false,
  mustEnrolTwoFactor: false,
  scopes: null,
  impersonatorId: null,
  affiliateId: null,
  tenant: {
    id: 'ten_1',
    slug: 'meridian',
    name: 'Meridian Markets',
    branding: {},
    featureFlags: {},
    currency: 'EUR',
    timeZone: 'UTC',
  },
})

/** Builds a pending deposit. */
export const deposit = (with_: Partial<Row<'deposits.list'>> = {}): Row<'deposits.list'> => ({
  ...blank('deposits.get'),
  id: 'dep_1',
  traderId: 'trd_1',
  traderName: 'Ana Lima',
  providerReference: 'WIRE-1',
  currency: 'EUR',
  amount: '1500.00',
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})

/** Builds a colleague. */
export const colleague = (with_: Partial<Answer<'users.get'>> = {}): Answer<'users.get'> => ({
  id: 'usr_1',
  email: 'marco@meridian.example',
  displayName: 'Marco Bianchi',
  formerNames: [],
  roles: ['manager'],
  status: 'active',
  lastLoginAt: AT,
  independence: { alone: true, belongsTo: [], since: null, why: 'founder' },
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})

/** Builds a client. */
export const trader = (with_: Partial<Answer<'traders.get'>> = {}): Answer<'traders.get'> => ({
  ...blank('traders.get'),
  id: 'trd_1',
  email: 'ana@mail.example',
  phone: '+447700900123',
  firstName: 'Ana',
  lastName: 'Lima',
  country: 'PT',
  language: 'pt',
  dateOfBirth: '1990-02-03',
  address: { street: '1 Mill Lane', city: 'Porto' },
  kycLevel: 1,
  kycStatus: 'approved',
  version: 4,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})

const none = { total: 0, waiting: 0 }
/** Builds the overview of a client who has no records. */
export const overview = (with_: Partial<Answer<'traders.overview'>> = {}): Answer<'traders.overview'> => ({
  withdrawalChecks: [],
  sanctions: 'clear',
  wallets: [],
  deposited: { byCurrency: [] },
  paidOut: { byCurrency: [] },
  openPositions: { byCurrency: [] },
  ...with_,
  records: {
    accounts: none,
    wallets: none,
    deposits: none,
    withdrawals: none,
    transfers: none,
    kyc: none,
    tickets: none,
    positions: none,
    notes: none,
    ...with_.records,
  },
})

/** Builds a ticket that a client opened and that has no answer yet. */
export const ticket = (with_: Partial<Answer<'support.tickets.get'>> = {}): Answer<'support.tickets.get'> => ({
  ...blank('support.tickets.get'),
  id: 'tic_1',
  traderId: 'trd_1',
  subject: 'Where is my deposit?',
  priority: 'normal',
  category: 'general',
  lastMessageAt: AT,
  version: 7,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})

/** Builds the counts of waiting work; all are zero unless a test says otherwise. */
export const summary = (with_: Partial<Answer<'notifications.summary'>> = {}): Answer<'notifications.summary'> => ({
  pendingKyc: 0,
  openSanctions: 0,
  failedScreenings: 0,
  pendingDeposits: 0,
  requestedWithdrawals: 0,
  approvedWithdrawals: 0,
  openTickets: 0,
  overdueTickets: 0,
  newLeads: 0,
  requestedAdjustments: 0,
  requestedPayouts: 0,
  pspExceptions: 0,
  sentTransfers: 0,
  unconfirmedRates: 0,
  terminalFindings: 0,
  unresolvedTransfers: 0,
  ...with_,
})

/** Builds an active payment gateway. */
export const gateway = (with_: Partial<Row<'psp.list'>> = {}): Row<'psp.list'> => ({
  id: 'psp_1',
  name: 'Card payments',
  kind: 'generic',
  status: 'active',
  callbackPath: OPERATIONS['psp.callback'].replace('POST ', '').replace(':connectionId', 'psp_1'),
  secretBy: 'usr_1',
  secretAt: AT,
  standsStill: false,
  lastCallbackAt: null,
  openExceptions: 0,
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
