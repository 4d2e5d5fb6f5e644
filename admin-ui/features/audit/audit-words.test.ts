import { expect, test } from 'bun:test'
import { changedFields } from './audit-words.ts'

test('an entry says which fields it changed', () => {
  const before = { riskLevel: 'low', city: 'Paphos', tags: ['a'] }
  expect(changedFields({ before, after: { riskLevel: 'high', city: 'Paphos', tags: ['a', 'b'] } })).toBe(
    'risk level, tags',
  )
  expect(changedFields({ before, after: before })).toBeNull()
  expect(changedFields({ before: null, after: { city: 'Paphos' } })).toBeNull()
})
