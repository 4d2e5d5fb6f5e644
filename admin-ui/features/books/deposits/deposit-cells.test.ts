import { expect, test } from 'bun:test'
import { announcerCell, firstApprovalCell, settlerCell } from './deposit-cells.ts'

const findName = (id: string): string => (id === 'usr_1' ? 'Ingrid Solheim' : id)

test('the file of deposits says who announced and settled one as the list does, also if no colleague did', () => {
  expect(announcerCell({ announcedBy: 'usr_1' }, findName)).toBe('Ingrid Solheim')
  expect(announcerCell({ announcedBy: '' }, findName)).toBe('The client')
  expect(settlerCell({ settledBy: '', settledAt: '2026-11-20T10:00:00.000Z' }, findName)).toBe('The gateway')
  expect(settlerCell({ settledBy: '', settledAt: '' }, findName)).toBe('')
})

test('the file of deposits says who gave the first approval, and for how much', () => {
  const row = { firstApprovalBy: 'usr_1', firstApprovalAt: 'x', firstApprovalAmount: '1200.00', currency: 'EUR' }
  expect(firstApprovalCell(row, findName)).toContain('Ingrid Solheim')
  expect(firstApprovalCell(row, findName)).toContain('1,200.00 EUR')
  expect(firstApprovalCell({ firstApprovalBy: '' }, findName)).toBe('')
})
