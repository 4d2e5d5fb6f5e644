import { expect, test } from 'bun:test'
import { changesText } from './changes.ts'

const tell = (before: object, after: object): string => changesText('Saved.', { before, after })

test('a change is named by its field and both values, in the words of the reader', () => {
  expect(tell({ riskLevel: 'low' }, { riskLevel: 'high' })).toBe('Saved. Risk: Low → High')
  expect(tell({ country: 'PT' }, { country: null })).toBe('Saved. Country: Portugal → nothing')
  expect(tell({ tags: ['vip'] }, { tags: ['vip', 'new'] })).toBe('Saved. Tags: vip → vip, new')
  expect(tell({ address: { city: 'Porto' } }, { address: { city: 'Braga' } })).toBe('Saved. City: Porto → Braga')
})

test('two changes are named and the others counted, and none leaves the sentence as it is', () => {
  const before = { firstName: 'Ana', lastName: 'Lima', country: 'PT', phone: null }
  expect(tell(before, { firstName: 'Eva', lastName: 'Reis', country: 'ES', phone: '+351' })).toBe(
    'Saved. First name: Ana → Eva · Last name: Lima → Reis and 2 more',
  )
  expect(tell(before, before)).toBe('Saved.')
})

test('an id without a name is not shown, a long text is cut', () => {
  const nobody = { assignedTo: null }
  expect(tell(nobody, { assignedTo: 'usr_01m8aegr26v4kzq0w3n5' })).toBe('Saved. Assigned to changed')
  const told = changesText('Saved.', {
    before: { note: 'a'.repeat(99) },
    after: { note: '' },
    labels: { note: 'Note' },
  })
  expect(told).toBe(`Saved. Note: ${'a'.repeat(60)}… → nothing`)
})
