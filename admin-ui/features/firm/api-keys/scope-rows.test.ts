import { describe, expect, test } from 'bun:test'
import type { ScopeInfo } from './api-keys.api.ts'
import { scopeRows, withAllRead } from './scope-rows.ts'

const scopes: ScopeInfo[] = [
  { scope: 'traders:read', description: 'Read traders' },
  { scope: 'traders:write', description: 'Change traders' },
  { scope: 'deposit-decisions:write', description: 'Settle deposits' },
  { scope: 'audit:read', description: 'Read the audit log' },
]
const rows = scopeRows(scopes)

describe('permissions as a table', () => {
  test('the table of permissions has one row for each kind of record, with its name for people', () => {
    expect(rows.map(({ name, read, write }) => [name, read?.scope, write?.scope])).toEqual([
      ['Clients', 'traders:read', 'traders:write'],
      ['Deposit decisions', undefined, 'deposit-decisions:write'],
      ['Audit', 'audit:read', undefined],
    ])
  })

  test('ticking or clearing all read permissions leaves the write permissions as they are', () => {
    expect(withAllRead(['deposit-decisions:write', 'audit:read'], rows, true)).toEqual([
      'deposit-decisions:write',
      'traders:read',
      'audit:read',
    ])
    expect(withAllRead(['traders:write', 'traders:read', 'audit:read'], rows, false)).toEqual(['traders:write'])
  })
})
