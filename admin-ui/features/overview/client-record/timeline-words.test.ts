import { expect, test } from 'bun:test'
import type { TimelineEntry } from '../../clients/traders/traders.api.ts'
import { listChanges } from './timeline-changes.ts'
import { RECORD, tell, withoutEchoes } from './timeline-words.ts'

const entry = (given: Partial<TimelineEntry>): TimelineEntry => ({
  id: 'aud_1',
  at: '2026-11-21T21:38:00.000Z',
  action: 'trader.update',
  entity: 'trader',
  entityId: 'trd_1',
  group: 'changes',
  record: null,
  actorKind: 'user',
  actorId: 'usr_1',
  actorName: 'Ingrid Solheim',
  before: null,
  after: null,
  names: {},
  ...given,
})
const deposit = {
  entity: 'deposit',
  id: 'dep_1',
  name: null,
  reference: 'BANK-1',
  amount: '1914.66',
  currency: 'EUR',
} as const

test('a timeline says of a settlement in part how much came, how much is missing, who said so and why', () => {
  const told = tell(
    entry({
      action: 'deposit.partial_settle',
      entity: 'deposit',
      entityId: 'dep_1',
      record: deposit,
      after: { settledAmount: '1890.66', providerPayload: { partialSettlement: { notes: 'Correspondent bank fee' } } },
    }),
  )
  expect(told.sentence.replace(RECORD, told.record.label)).toBe(
    'Deposit of 1,914.66 EUR settled with 1,890.66 EUR (24.00 short)',
  )
  expect([told.record.to, told.who, told.note]).toEqual(['/deposits/dep_1', 'Ingrid Solheim', 'Correspondent bank fee'])
})

test('a timeline shows a change of address field by field, with names instead of ids', () => {
  const changes = listChanges({
    before: { address: { street: '63 Mill Lane', city: 'Leeds' }, assignedTo: null, kycStatus: 'requested' },
    after: {
      address: { street: '1 New Street', city: 'Leeds' },
      assignedTo: 'usr_01m85449gqqnx4ymstntd0bghb',
      kycStatus: 'approved',
      updatedAt: 5,
    },
    names: { usr_01m85449gqqnx4ymstntd0bghb: 'Tomasz Lis' },
  })
  expect(changes).toEqual([
    'Street: 63 Mill Lane → 1 New Street',
    'Assigned to: nothing → Tomasz Lis',
    'Identity: Waiting for review → Approved',
  ])
})

test('a timeline shows no value for a changed id without a name, nor for a value with parts', () => {
  const after = { assignedTo: 'usr_01m85449gqqnx4ymstntd0bghb', metadata: { plan: { tier: 1 } }, tags: ['vip'] }
  expect(listChanges({ before: { assignedTo: null, metadata: {}, tags: [] }, after, names: {} })).toEqual([
    'Assigned to changed',
    'Plan changed',
    'Tags: nothing → vip',
  ])
})

test('a timeline says what a change of several clients changed of this one', () => {
  const edit = { before: { riskLevel: 'low', segments: [] }, after: { riskLevel: 'high', segments: ['vip'] } }
  const told = tell(entry({ action: 'trader.bulk_edit', ...edit }))
  expect(told.sentence).toBe('Client changed, together with others')
  expect(told.changes).toEqual(['Risk: Low → High', 'Segments: nothing → vip'])
  expect(tell(entry({ action: 'trader.bulk_segments', ...edit })).changes).toEqual(told.changes)
})

test('an erased or unknown record still names the action', () => {
  const erased = tell(entry({ action: 'deposit.settle', entity: 'deposit', entityId: 'dep_1' }))
  expect([erased.sentence, erased.record.to]).toEqual(['Deposit settled', null])
  expect(tell(entry({ action: 'credential.rotate', entity: 'credential' })).sentence).toBe('Credential rotate')
})

test('a timeline shows an action that wrote several rows only once', () => {
  const kyc = { action: 'kyc.approve', entityId: 'kyc_1' }
  const [decided, follows] = [
    entry({ ...kyc, entity: 'kyc_submission', id: 'aud_2' }),
    entry({ ...kyc, entity: 'trader', id: 'aud_1' }),
  ]
  expect(withoutEchoes([decided, follows])).toEqual([decided])
  // an entry without the other one is kept, and so is any change of the client
  expect(withoutEchoes([follows])).toEqual([follows])
  const change = entry({ action: 'trader.update' })
  expect(withoutEchoes([decided, change])).toEqual([decided, change])
})
