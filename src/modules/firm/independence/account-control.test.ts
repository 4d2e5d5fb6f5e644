import { expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { type Account, belongsTo, judgeIndependence, mayVouch, type Staff, TIME_ALONE } from './account-control.ts'

const account = (id: string, facts: Partial<Account> = {}): Account => ({
  id,
  role: 'manager',
  active: true,
  secondFactorAt: null,
  mustChange: false,
  acts: [],
  vouchedAt: null,
  ...facts,
})
const by = (byUserId: string, createdAt = 0) => ({
  id: `act_${byUserId}`,
  userId: '',
  byUserId,
  act: 'link' as const,
  createdAt,
})
const buildStaff = (...list: Account[]): Staff => ({ accounts: new Map(list.map((one) => [one.id, one])), struckAt: 0 })

test('an account belongs to the person who acted on it, and to those who acted on that person’s account', () => {
  const staff = buildStaff(account('a'), account('b', { acts: [by('a')] }), account('c', { acts: [by('b')] }))
  expect([...belongsTo(staff, 'c')].sort()).toEqual(['a', 'b'])
  expect(belongsTo(staff, 'a').size).toBe(0)
  // a circle of acts ends, and an account is not listed as belonging to itself
  const ring = buildStaff(account('a', { acts: [by('b')] }), account('b', { acts: [by('a')] }))
  expect([...belongsTo(ring, 'a')]).toEqual(['b'])
})

test('an active administrator with an account of their own may vouch for an account that they had no part in', () => {
  const touched = account('c', { acts: [by('a')] })
  const actor = account('a', { role: 'admin' })
  const third = account('d', { role: 'admin' })
  const staff = buildStaff(touched, actor, third)
  expect(mayVouch(staff, third, 'c')).toBe(true)
  expect(mayVouch(staff, actor, 'c')).toBe(false)
  for (const facts of [{ active: false }, { mustChange: true }, { role: 'manager' as const }, { acts: [by('a')] }])
    expect(mayVouch(staff, { ...third, ...facts }, 'c')).toBe(false)
  expect(mayVouch(staff, third, 'd')).toBe(false)
})

test('an account’s 72 hours begin with the last act on it, the second factor, or the loss of a third person', () => {
  const touched = account('c', { acts: [by('a', 10 * HOUR)], secondFactorAt: 20 * HOUR })
  const staff = { ...buildStaff(account('a'), touched), struckAt: 30 * HOUR }
  const until = 30 * HOUR + TIME_ALONE
  expect(judgeIndependence(staff, 'c', until - 1)).toMatchObject({ alone: false, belongsTo: ['a'], since: 10 * HOUR })
  expect(judgeIndependence(staff, 'c', until)).toMatchObject({ alone: true, belongsTo: [], since: until })
})

test('waiting 72 hours does not help an account while there is a third person or no second factor', () => {
  const late = 1000 * HOUR
  const touched = account('c', { acts: [by('a')], secondFactorAt: 0 })
  expect(judgeIndependence(buildStaff(touched, account('d', { role: 'admin' })), 'c', late).alone).toBe(false)
  expect(judgeIndependence(buildStaff({ ...touched, secondFactorAt: null }), 'c', late).alone).toBe(false)
  expect(judgeIndependence(buildStaff(touched), 'c', late).alone).toBe(true)
  expect(judgeIndependence(buildStaff(), 'c', late)).toMatchObject({ alone: false, belongsTo: [], since: null })
})

test('an account that is not its holder’s alone names the remedy: a second factor, a third person, or time', () => {
  const touched = account('c', { acts: [by('a')], secondFactorAt: 0 })
  const why = (...staff: Account[]) => judgeIndependence(buildStaff(...staff), 'c', 0).why
  expect(why({ ...touched, secondFactorAt: null })).toContain('turn on a second factor')
  expect(why(touched, account('d', { role: 'admin' }))).toContain('has to vouch')
  expect(why(touched)).toContain('72 hours after')
})
