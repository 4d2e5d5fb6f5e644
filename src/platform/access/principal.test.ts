import { expect, test } from 'bun:test'
import { type Principal, refuseImpersonation } from './principal.ts'

const session = { id: 'x', sessionId: 'ses_1' }

test('a person who views as a client or a colleague is refused; other principals are not', () => {
  const user = { kind: 'user', role: 'admin', roles: ['admin'], ...session } as const
  const trader = { kind: 'trader', ...session } as const
  const refused = (principal: Principal) => () => refuseImpersonation({ principal })
  for (const who of [user, trader]) {
    expect(refused({ ...who, impersonatorId: 'usr_1' })).toThrow(expect.objectContaining({ code: 'impersonating' }))
    expect(refused({ ...who, impersonatorId: null })).not.toThrow()
  }
  expect(refused({ kind: 'system', id: 'job' })).not.toThrow()
  expect(refused({ kind: 'anonymous' })).not.toThrow()
})
