import { expect, test } from 'bun:test'
import { meAs } from '../../testing/samples.ts'
import { atLeast, ROLES, readBrand } from './session.ts'

test('each role may do what lower roles may, and a user without a role may do nothing', () => {
  for (const [at, role] of ROLES.entries())
    expect(ROLES.map((least) => atLeast(role, least))).toEqual(ROLES.map((_, least) => least <= at))
  expect(ROLES.map((least) => atLeast(null, least))).not.toContain(true)
})

test.each([
  [{}, { color: null, logoUrl: null }],
  [
    { color: '#336699', logoUrl: '/v1/logo' },
    { color: '#336699', logoUrl: '/v1/logo' },
  ],
  [
    { color: 7, logoUrl: null },
    { color: null, logoUrl: null },
  ],
])('the firm’s look %j becomes the console’s look %j', (branding, look) => {
  expect(readBrand({ ...meAs('viewer').tenant, branding })).toEqual(look)
})
