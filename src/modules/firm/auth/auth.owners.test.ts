import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { lookUp } from '../../../platform/db/directory.ts'
import { createTestApp } from '../../../testing/app.ts'
import {
  type Candidate,
  findOwnerFacts,
  type OwnerFacts,
  type OwnerKind,
  type Owners,
  resolveOwner,
} from './auth.owners.ts'

const app = createTestApp()
afterAll(() => app.close())

const facts: OwnerFacts = {
  email: 'one@kind.test',
  displayName: 'One',
  role: null,
  locale: null,
  maySignIn: true,
  isInvited: false,
}
/** Makes a kind of owner that has one person. */
const kindWith = (only: string): OwnerKind => ({
  byAddress: lookUp<Candidate>(sql`SELECT NULL WHERE ? IS NULL`),
  find: (_, id) => (id === only ? facts : undefined),
  noteSignIn: () => {},
  takeInvite: () => false,
  mailInvite: () => {},
})

test('the owner of a session is looked up by id among owners of the same kind only', async () => {
  const owners: Owners = { users: kindWith('usr_1'), traders: kindWith('trd_1') }
  expect(resolveOwner(owners, { userId: 'usr_1' })).toEqual({ kind: owners.users, id: 'usr_1' })
  expect(resolveOwner(owners, { traderId: 'trd_1' })).toEqual({ kind: owners.traders, id: 'trd_1' })
  const { tenantId } = await app.firm('sigma')
  const { db } = systemCtx(app.platform, tenantId, 'test')
  expect(findOwnerFacts(owners, db, { traderId: 'trd_1' })).toBe(facts)
  expect(findOwnerFacts(owners, db, { traderId: 'usr_1' })).toBeUndefined()
  expect(findOwnerFacts(owners, db, { userId: 'trd_1' })).toBeUndefined()
})
