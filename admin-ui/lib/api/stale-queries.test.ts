import { expect, test } from 'bun:test'
import { staleAfter } from './stale-queries.ts'

test('a decision about money makes wallets, the client’s figures, the dashboard and the counts stale', () => {
  for (const changed of ['deposits', 'withdrawals'] as const)
    expect([...staleAfter(changed)].sort()).toEqual([changed, 'dashboard', 'summary', 'traders', 'wallets'].sort())
})

test('papers change what a withdrawal is checked by', () => {
  expect([...staleAfter('kyc')]).toContain('withdrawals')
})

test('several changes are read again once each', () => {
  const stale = [...staleAfter('deposits', 'withdrawals')]
  expect(stale).toEqual([...new Set(stale)])
  expect(stale).toContain('deposits')
})

test('what nothing hangs on makes only itself stale', () => {
  expect([...staleAfter('saved-views')]).toEqual(['saved-views'])
})
