import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { createReader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { credentials } from '../auth/auth.table.ts'
import { isOnlyOne, requireAnother } from './blocks.ts'
import {
  broughtMoney,
  couldBeClient,
  couldBeClients,
  isSmallFor,
  liftedBlock,
  linkedAccount,
  noteAccountAct,
  noteAgain,
  noteClientAct,
  passLinksOn,
  personBehind,
  struckColleagues,
} from './independence.service.ts'
import { readPeople } from './people.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const { onlyThese } = createDesk(() => ({ app, firm }))
const write = (run: (tx: Tx) => null) => systemCtx(app.platform, firm.tenantId, 'test').write('test.write', run)
const reader = () => createReader(app.platform.reader, { tenantId: firm.tenantId, traderId: null })
const now = () => app.clock.now()
const people = () => readPeople(reader(), now())

test('an act for a client counts for less than 30 days', async () => {
  const [traderId, userId] = [await firm.trader(), firm.as.manager.id]
  await write((tx) => {
    for (const act of ['changed_address', 'deposit', 'lifted_hold', 'linked_account'] as const)
      noteClientAct(tx, userId, traderId, act)
    return null
  })
  const counts = () => [
    ...[couldBeClient, broughtMoney, liftedBlock, linkedAccount].map((does) =>
      does(reader(), people(), userId, traderId, now()),
    ),
    couldBeClients(reader(), traderId, now()).includes(userId),
  ]
  app.clock.advance(30 * DAY - 1)
  expect(counts()).toEqual([true, true, true, true, true])
  app.clock.advance(1)
  expect(counts()).toEqual([false, false, false, false, false])
})

test('an account’s new client takes over who linked it in the last 30 days, and nobody from before', async () => {
  const [from, early, late] = [await firm.trader(), await firm.trader(), await firm.trader()]
  const userId = firm.as.manager.id
  await write((tx) => {
    noteClientAct(tx, userId, from, 'linked_account')
    return null
  })
  const pass = (to: string) =>
    write((tx) => {
      passLinksOn(tx, from, to)
      return null
    })
  app.clock.advance(30 * DAY - 1)
  await pass(early)
  app.clock.advance(1)
  await pass(late)
  expect([early, late].map((to) => linkedAccount(reader(), people(), userId, to, now()))).toEqual([true, false])
})

test('an act that takes effect later is noted again then, and no other act is', async () => {
  const traderId = await firm.trader()
  const note = (userId: string) =>
    write((tx) => {
      noteClientAct(tx, userId, traderId, 'transfer')
      return null
    })
  await note(firm.as.operator.id)
  app.clock.advance(HOUR)
  const began = now()
  await note(firm.as.manager.id)
  app.clock.advance(30 * DAY)
  await write((tx) => {
    noteAgain(tx, traderId, ['transfer'], began)
    return null
  })
  const brought = (userId: string) => broughtMoney(reader(), people(), userId, traderId, now())
  expect([brought(firm.as.operator.id), brought(firm.as.manager.id)]).toEqual([false, true])
})

test('a firm of two is small, one of three is not; a person who took a colleague’s independence finds no firm small for 30 days', async () => {
  const { manager, admin, owner, operator } = firm.as
  const isSmall = () => isSmallFor(reader(), people(), owner.id, now())
  await onlyThese(manager, admin, owner, operator)
  expect(isSmall()).toBe(false)
  await onlyThese(admin, owner, operator)
  expect(isSmall()).toBe(true)
  await write((tx) => {
    noteAccountAct(tx, owner.id, operator.id, 'password')
    return null
  })
  app.clock.advance(30 * DAY - 1)
  expect([isSmall(), struckColleagues(reader(), people(), owner.id, now())]).toEqual([false, true])
  app.clock.advance(1)
  expect([isSmall(), struckColleagues(reader(), people(), owner.id, now())]).toEqual([true, false])
})

test('the only person of a firm decides on their own act after 72 hours, and not a moment sooner', async () => {
  const { owner, admin } = firm.as
  await onlyThese(owner)
  const [at, userId] = [now(), owner.id]
  const deeds = [at - HOUR, at].map((createdAt) => ({ userId, createdAt }))
  const decide = (when: number) => () => requireAnother(reader(), people(), userId, deeds, when)
  expect(isOnlyOne(reader(), people(), userId, at)).toBe(true)
  expect(decide(at + 72 * HOUR - 1)).toThrow()
  expect(decide(at + 72 * HOUR)).not.toThrow()
  expect(() => requireAnother(reader(), people(), admin.id, deeds, at)).not.toThrow()
})

test('an account’s wait becomes longer only if somebody who could vouch is lost', async () => {
  const { manager, owner, admin, operator } = firm.as
  const act = (userId: string, what: 'link' | 'invited' | 'password' | 'stepped_down') =>
    write((tx) => {
      noteAccountAct(tx, owner.id, userId, what)
      return null
    })
  await onlyThese(manager, owner, admin, operator)
  await write((tx) => {
    tx.insert(credentials, { userId: manager.id, totpEnabled: true, totpEnabledAt: tx.now })
    return null
  })
  await act(manager.id, 'link')
  app.clock.advance(HOUR)
  await act(admin.id, 'invited')
  await act(operator.id, 'password')
  app.clock.advance(71 * HOUR - 1)
  expect(people().independence(manager.id).alone).toBe(false)
  app.clock.advance(1)
  expect(people().independence(manager.id).alone).toBe(true)
  // a person who stepped down could have vouched, whatever their role is now
  await act(operator.id, 'stepped_down')
  expect(people().independence(manager.id).alone).toBe(false)
})

test('the person behind a client is the colleague who views as the client, and nobody if the client acts', () => {
  const client = { kind: 'trader', id: 'trd_1', sessionId: '' } as const
  expect(personBehind({ principal: { ...client, impersonatorId: 'usr_1' } })).toBe('usr_1')
  expect(personBehind({ principal: { ...client, impersonatorId: null } })).toBeNull()
  expect(personBehind({ principal: { kind: 'gateway', id: 'psp_1' } })).toBeNull()
})
