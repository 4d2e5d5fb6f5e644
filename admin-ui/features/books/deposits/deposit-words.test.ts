import { expect, test } from 'bun:test'
import { describeSettled, firstApprovalText, listSteps, namedDeposit, predictEffect } from './deposit-words.ts'
import type { Deposit } from './deposits.api.ts'

const AT = '2026-03-01T10:00:00.000Z'
const deposit = (values: Partial<Deposit> = {}): Deposit => ({
  id: 'dep_1',
  traderId: 'trd_1',
  pspConnectionId: null,
  providerReference: null,
  method: 'bank',
  currency: 'EUR',
  amount: '1914.66',
  settledAmount: null,
  status: 'pending',
  failureReason: null,
  note: null,
  providerPayload: {},
  settledAt: null,
  announcedBy: 'usr_o',
  settledBy: null,
  firstWord: null,
  repeatOf: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  ...values,
})
const findStaffName = (id: string | null): string | null =>
  id === 'usr_i' ? 'Ingrid Solheim' : id === 'usr_o' ? 'Otto' : null
const texts = (values: Partial<Deposit>): string[] => listSteps(deposit(values), findStaffName).map(({ text }) => text)

test('the history of a settlement in part says who settled, how much, how much is missing, and why', () => {
  const settled: Partial<Deposit> = {
    status: 'partially_settled',
    settledAmount: '1890.66',
    settledAt: AT,
    settledBy: 'usr_i',
    providerPayload: {
      partialSettlement: { settledAmount: '1890.66', notes: 'Correspondent bank fee', by: 'usr_i', at: AT },
    },
  }
  expect(texts(settled)).toEqual(['Otto announced 1,914.66 EUR', 'Ingrid Solheim settled 1,890.66 EUR (24.00 short)'])
  expect(listSteps(deposit(settled), findStaffName).at(-1)?.note).toBe('Correspondent bank fee')
})

test('the notice after a settlement names the amount, the client, and what is missing', () => {
  const full = deposit({ status: 'settled', settledAmount: '1914.66' })
  expect(describeSettled(full, 'Ana Lima')).toBe('1,914.66 EUR settled for Ana Lima.')
  const short = deposit({ status: 'partially_settled', settledAmount: '1890.66' })
  expect(describeSettled(short, 'Ana Lima')).toBe('1,890.66 EUR settled for Ana Lima (24.00 short).')
})

test('the first of two approvals is described as such, on the deposit and in the notice', () => {
  const pending = deposit({ firstWord: { by: 'usr_i', at: AT, settledAmount: '1914.66' } })
  expect(firstApprovalText(pending, findStaffName)).toBe(
    'Ingrid Solheim gave the first approval of 1,914.66 EUR; a second person settles it',
  )
  expect(describeSettled(pending, 'Ana Lima')).toBe(
    'First approval of 1,914.66 EUR for Ana Lima saved. A second person settles the same amount.',
  )
  expect(firstApprovalText(deposit(), findStaffName)).toBeNull()
})

test('the history of a deposit names gateways, clients, failures and cancellations', () => {
  expect(
    texts({
      announcedBy: null,
      pspConnectionId: 'psp_1',
      status: 'settled',
      settledAmount: '1914.66',
      settledAt: AT,
      providerPayload: {
        callbacks: [
          { status: 'failed', at: AT, reason: 'declined' },
          { status: 'success', at: AT },
        ],
      },
    }),
  ).toEqual([
    'The client or a gateway announced 1,914.66 EUR',
    'The gateway said that it failed',
    'The gateway said that it was paid',
    'The gateway settled 1,914.66 EUR',
  ])
  expect(texts({ announcedBy: null, status: 'cancelled' })).toEqual([
    'The client announced 1,914.66 EUR',
    'It was cancelled',
  ])
  expect(texts({ status: 'failed', failureReason: 'bounced' }).at(-1)).toBe('It failed')
})

test('the deposit that had the same reference is found in the server’s refusal', () => {
  expect(namedDeposit('Deposit dep_01ABC was credited with this payment reference.')).toBe('dep_01ABC')
  expect(namedDeposit(undefined)).toBeNull()
})

test('an approval is predicted to credit if another colleague announced the deposit or approved this amount', () => {
  const effect = (values: Partial<Deposit>, amount = '1914.66') => predictEffect(deposit(values), amount, 'usr_i')
  expect(effect({})).toBe('credits')
  expect(effect({ announcedBy: 'usr_i' })).toBe('credits_or_refused')
  expect(effect({ announcedBy: null })).toBe('credits_or_first')
  const said = (by: string) => ({ announcedBy: null, firstWord: { by, at: AT, settledAmount: '1914.66' } })
  expect(effect(said('usr_o'))).toBe('credits')
  expect([effect(said('usr_o'), '1900'), effect(said('usr_i'))]).toEqual([null, null])
})
