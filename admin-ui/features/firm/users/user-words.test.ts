import { expect, test } from 'bun:test'
import { describeOwnership, tidyRoles } from './user-words.ts'

test('the role Viewer is dropped beside a role that includes it', () => {
  expect(tidyRoles(['manager', 'viewer'])).toEqual(['manager'])
  expect(tidyRoles(['viewer'])).toEqual(['viewer'])
  expect(tidyRoles(['admin', 'operator'])).toEqual(['operator', 'admin'])
  expect(tidyRoles([])).toEqual([])
})

test('a shared account shows who else controls it', () => {
  const findStaffName = (id: string): string | null => (id === 'usr_1' ? 'Ingrid Solheim' : null)
  expect(describeOwnership({ alone: true, belongsTo: [] }, findStaffName)).toBe('Only theirs')
  expect(describeOwnership({ alone: false, belongsTo: ['usr_1', 'usr_2'] }, findStaffName)).toBe(
    'Shared with Ingrid Solheim, a colleague',
  )
})
