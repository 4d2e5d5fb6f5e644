import { expect, test } from 'bun:test'
import { staleAfter } from './stale-queries.ts'

test('a decision about money makes wallets, the client’s figures, the dashboard and the counts stale', () => {
  for (const changed of ['deposits', 'withdrawals'] as const)
    expect([...staleAfter(changed)].filter((one) => one !== 'setup').sort()).toEqual(
      [changed, 'dashboard', 'summary', 'traders', 'wallets'].sort(),
    )
  // the first settled deposit is a first step
  expect(staleAfter('deposits').has('setup')).toBe(true)
})

test('new documents make the checks of withdrawals stale', () => {
  expect([...staleAfter('kyc')]).toContain('withdrawals')
})

test('several changes cause one read of each stale query', () => {
  const stale = [...staleAfter('deposits', 'withdrawals')]
  expect(stale).toEqual([...new Set(stale)])
  expect(stale).toContain('deposits')
})

test('a change that no other query depends on makes only its own stale', () => {
  expect([...staleAfter('saved-views')]).toEqual(['saved-views'])
})
