import { expect, test } from 'bun:test'
import { changedSettings, completeSettings, ownerOnly, pickSettings, platformKey } from './firm-settings.ts'

const DEFAULTS = completeSettings('{}')

test('missing settings get their defaults, and so does a stored value that no longer fits', () => {
  expect(completeSettings('{"currency":"EUR","timeZone":7,"platforms":[]}')).toEqual({ ...DEFAULTS, currency: 'EUR' })
  expect(completeSettings('[]')).toEqual(DEFAULTS)
  // a stored name is kept although it may not be entered any more
  expect(completeSettings('{"platforms":["mété"]}').platforms).toEqual(['mété'])
})

test('pickSettings takes only the settings from a tenant’s fields', () => {
  const tenant = { ...DEFAULTS, name: 'Harbour' }
  expect(pickSettings(tenant)).toEqual(DEFAULTS)
})

test('a patch changes single members of a group, and the platform that the interface names stays', () => {
  const after = changedSettings(DEFAULTS, { conversion: { spread: 0.01 }, platforms: [' metatrader '] })
  expect(after.conversion).toEqual({ ...DEFAULTS.conversion, spread: 0.01 })
  expect(after.platforms).toEqual(['terminal5', 'metatrader'])
})

test.each([
  [{ timeZone: 'Moon/Base' }, 'timeZone'],
  [{ currency: 'XXQ' }, 'currency'],
  [{ platforms: ['terminal5 ', 'TERMINAL5'] }, 'platforms'],
  [{ platforms: ['tеrminal'] }, 'platforms'],
  [{ payoutMinimum: '0' }, 'payoutMinimum'],
])('a patch with an invalid value names the field: %j', (patch, path) => {
  const errors = [expect.objectContaining({ path })]
  expect(() => changedSettings(DEFAULTS, patch)).toThrow(expect.objectContaining({ errors }))
})

test('only an owner changes conversion, second factor, years of keeping, and whether the platform acknowledges orders', () => {
  expect(ownerOnly(DEFAULTS, { keepYears: 1 })).toBe('keepYears')
  expect(ownerOnly(DEFAULTS, { conversion: {} })).toBe('conversion')
  expect(ownerOnly(DEFAULTS, { security: {} })).toBe('security')
  expect(ownerOnly(DEFAULTS, { platformAcknowledges: true })).toBe('platformAcknowledges')
  expect(ownerOnly(DEFAULTS, { platformAcknowledges: false, currency: 'EUR' })).toBeUndefined()
})

test('names of platforms that look alike have the same key', () => {
  expect(platformKey('Terminal 5')).toBe(platformKey('termina1\u200b5'))
  expect(platformKey('terminal4')).not.toBe(platformKey('terminal5'))
})
