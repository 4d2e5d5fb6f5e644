import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Role } from '../../../platform/access/catalogue.ts'
import { type Answer, type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { lettersTo } from '../../../testing/sign-in.ts'

const PASSWORD = 'correct horse battery'
const SECOND = 'second-owner@alpha.test'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  await invited(['owner'], { email: SECOND, password: PASSWORD })
})
afterAll(() => app.close())

const owners = ['owner@alpha.test', SECOND]
let heard: string[][] = []
beforeEach(() => {
  heard = owners.map((address) => lettersTo(app, address, firm))
})
/** Expects that each owner got exactly one letter for each of these texts since the test began. */
const expectMailed = (words: string[]): void => {
  for (const [index, address] of owners.entries()) {
    const letters = lettersTo(app, address, firm).slice(heard[index]?.length)
    expect(letters).toEqual(words.map((word) => expect.stringContaining(word)))
  }
}
const call = async (method: string, path: string, body: object, as: Caller = firm.as.owner): Promise<Answer> => {
  const answer = await app.call(method, path, { as, body })
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
  return answer
}
let count = 0
const invited = async (roles: Role[], values: object = {}, as: Caller = firm.as.owner): Promise<Answer['body']> => {
  count += 1
  const person = { email: `new${count}@alpha.test`, displayName: `New ${count}`, roles, ...values }
  return (await call('POST', '/v1/users/invite', person, as)).body
}
const accept = async (email: string): Promise<void> => {
  const token = /token=(\S+)/.exec(lettersTo(app, email, firm).at(-1) ?? '')?.[1]
  await call('POST', '/v1/users/accept-invite', { token, password: PASSWORD }, { id: '', headers: {} })
}

const POWERS: [Role, string][] = [
  ['admin', 'an administrator'],
  ['owner', 'an owner'],
  ['platform_admin', 'a platform administrator'],
]
describe.each(POWERS)('every owner is mailed about a colleague who is %s', (role, called) => {
  const by = { as: () => (role === 'platform_admin' ? firm.as.platform_admin : firm.as.owner) }

  test(`every owner is mailed when ${called} is invited, with the inviter’s name, and when they accept`, async () => {
    const { email } = await invited([role], {}, by.as())
    const inviter = role === 'platform_admin' ? 'platform_admin of alpha' : 'owner of alpha'
    expectMailed([`(${email}) is invited as ${called}, by ${inviter}`])
    await accept(email)
    expectMailed([`is invited as ${called}`, `(${email}) accepted the invitation as ${called}`])
  })
  test(`every owner is mailed when a colleague becomes ${called}, and not when they stay so`, async () => {
    const { id, email } = await invited(['operator'], { password: PASSWORD })
    expectMailed([])
    await call('PATCH', `/v1/users/${id}/roles`, { roles: [role] }, by.as())
    expectMailed([`(${email}) is now ${called}`])
    await call('PATCH', `/v1/users/${id}/roles`, { roles: [role, 'operator'] }, by.as())
    expectMailed([`is now ${called}`])
  })
  test(`every owner is mailed when ${called} is enabled again`, async () => {
    const { id, email } = await invited([role], { password: PASSWORD }, by.as())
    await call('PATCH', `/v1/users/${id}`, { status: 'disabled' }, by.as())
    await call('PATCH', `/v1/users/${id}`, { status: 'active' }, by.as())
    expectMailed([`is invited as ${called}`, 'disabled New', `(${email}) may sign in again as ${called}`])
  })
})

test('owners are not mailed about a manager or an operator until they leave', async () => {
  const { id, email } = await invited(['manager'])
  await accept(email)
  await call('PATCH', `/v1/users/${id}/roles`, { roles: ['operator'] })
  await call('PATCH', `/v1/users/${id}`, { status: 'disabled' })
  expectMailed(['disabled New'])
  await call('PATCH', `/v1/users/${id}`, { status: 'active' })
  expectMailed(['disabled New'])
})

describe('every owner is mailed about a change of a guarded setting', () => {
  const current = () => app.call('GET', '/v1/tenants/current', { as: firm.as.owner })
  const change = (body: object) => call('PATCH', '/v1/tenants/current', body)

  test('every owner is mailed about a change of the approval policy', async () => {
    await call('PUT', '/v1/approval-policies', { currency: 'EUR', threshold: '900.00', minKycLevel: 1 })
    expectMailed(['owner of alpha changed settings that guard the firm: approvalPolicy'])
  })
  test('every owner is mailed about a change of conversion, and not about the same value again', async () => {
    const conversion = { spread: (await current()).body.conversion.spread + 0.001 }
    await change({ conversion })
    expectMailed(['guard the firm: conversion'])
    await change({ conversion })
    expectMailed(['guard the firm: conversion'])
  })
  test('every owner is mailed about a change of the security settings', async () => {
    await change({ security: { secondFactorRoles: ['viewer'] } })
    expectMailed(['guard the firm: security'])
    await change({ security: { secondFactorRoles: [] } })
    expectMailed(['guard the firm: security', 'guard the firm: security'])
  })
  test('every owner is mailed about a change of whether the platform acknowledges', async () => {
    const { platformAcknowledges } = (await current()).body
    await change({ platformAcknowledges: !platformAcknowledges })
    expectMailed(['guard the firm: platformAcknowledges'])
  })
  test('every owner is mailed about a change of the currency', async () => {
    await change({ currency: 'USD' })
    expectMailed(['guard the firm: currency'])
  })
  test('every owner is mailed about a change of the years of keeping records, and of the limit of an acquisition', async () => {
    await change({ keepYears: 7, maxAcquisition: '900.00' })
    expectMailed(['guard the firm: keepYears, maxAcquisition'])
    await change({ keepYears: 7 })
    expectMailed(['guard the firm: keepYears, maxAcquisition'])
  })
  test('owners are not mailed about the firm’s name or colour', async () => {
    await change({ name: 'Another name', branding: { color: '#123456' } })
    expectMailed([])
  })
  test('every owner is mailed if the box’s administrator changes the firm’s domain or status from another firm', async () => {
    const { platform_admin: administrator } = (await app.firm('beta')).as
    const path = `/v1/tenants/${firm.tenantId}`
    await call('PATCH', path, { domain: 'alpha.example' }, administrator)
    expectMailed(['The administrator of this installation changed settings that guard the firm: domain'])
    await call('PATCH', path, { status: 'suspended' }, administrator)
    expectMailed(['guard the firm: domain', 'guard the firm: status'])
  })
})
