import { beforeEach, expect, test } from 'bun:test'
import { HOUR } from '../clock.ts'
import { createDamage, type Damage } from './damage.ts'
import { BrokenState } from './engine-control.ts'

let time: number
let damage: Damage
const broken = (): boolean => damage.failed(new BrokenState('ltx file corrupted'))
beforeEach(() => {
  time = 0
  damage = createDamage(() => time)
})

test('the third report of a broken state in a row begins another history', () => {
  expect([broken(), broken(), damage.isBroken()]).toEqual([false, false, false])
  expect([broken(), damage.isBroken()]).toEqual([true, true])
  damage.mended()
  expect(damage.isBroken()).toBe(false)
})

test('failures other than a broken state are not counted, and a success resets the count', () => {
  for (let times = 0; times < 10; times += 1) expect(damage.failed(new Error('too late'))).toBe(false)
  broken()
  broken()
  damage.passed()
  expect(broken()).toBe(false)
})

test('a broken state begins another history once an hour at most', () => {
  for (let times = 0; times < 3; times += 1) broken()
  damage.mended()
  time = HOUR - 1
  expect([broken(), damage.isBroken()]).toEqual([false, false])
  time = HOUR
  expect(broken()).toBe(true)
})
